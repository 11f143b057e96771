package papers

import (
	"sync"

	"paperfs/fs/notice"
	"paperfs/fs/papers/names"
)

// notices is what the kernel is told of changes.
type notices struct {
	*notice.Set[int64, category]           // the categories but the root, by id
	root                         *category // set before the first call
	expectations
}

// expectations are names that the kernel is about to enter by itself.
type expectations struct {
	expectMu sync.Mutex
	expected map[names.Entry]bool // guarded by expectMu
}

func newNotices() notices {
	return notices{Set: notice.New[int64, category](), expectations: expectations{expected: make(map[names.Entry]bool)}}
}

// wasExpected ends an expectation.
func (t *expectations) wasExpected(e names.Entry) bool {
	t.expectMu.Lock()
	defer t.expectMu.Unlock()
	defer delete(t.expected, e)
	return t.expected[e]
}
