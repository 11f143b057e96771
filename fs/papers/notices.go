package papers

import (
	"sync"

	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
)

// notices is what notifying the kernel of changes needs.
type notices struct {
	*inode.Notices[int64, category]           // all categories except the root, by id
	root                            *category // set before the first call
	expectations
}

// expectations are names that the kernel is about to enter itself.
type expectations struct {
	expectMu sync.Mutex
	expected map[names.Entry]bool // guarded by expectMu
}

func newNotices() notices {
	return notices{Notices: inode.NewNotices[int64, category](), expectations: expectations{expected: make(map[names.Entry]bool)}}
}

// wasExpected reports whether a name was expected, and ends the expectation.
func (t *expectations) wasExpected(e names.Entry) bool {
	t.expectMu.Lock()
	defer t.expectMu.Unlock()
	defer delete(t.expected, e)
	return t.expected[e]
}
