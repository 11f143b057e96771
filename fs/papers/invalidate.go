package papers

import (
	"context"
	"slices"
	"sync"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/fs/inode"
	"paperfs/fs/notice"
	"paperfs/fs/papers/names"
	"paperfs/remote"
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

// enter is the node that stands for a category, for as long as the mount lives.
func (t *notices) enter(ctx context.Context, parent *category, id int64) *category {
	return t.Enter(id, func() *category {
		c := &category{place{Tree: parent.Tree, node: id}}
		parent.NewInode(ctx, c, gofs.StableAttr{Mode: syscall.S_IFDIR, Ino: inode.Node(remote.CategoryNode, id)})
		return c
	})
}

// category is the node of a category, nil where the kernel never had one.
func (t *notices) category(id int64) *category {
	if t.root != nil && t.root.nodeID() == id {
		return t.root
	}
	return t.Dir(id)
}

// expect says that the kernel is about to enter a name by itself, because it
// waits for a mkdir or rename: dropping that name after it would pull the new
// directory from under the programs that work in it. Where the kernel does not
// enter it, unexpect is to be called: the name is then dropped, because a
// notification may have been left out.
func (c *category) expect(name string) (unexpect func()) {
	e := names.In(c.nodeID(), name)
	c.expectMu.Lock()
	c.expected[e] = true
	c.expectMu.Unlock()
	return func() {
		c.wasExpected(e)
		// Not in the handler: the kernel holds the directory until it returns.
		go c.NotifyEntry(name)
	}
}

// wasExpected ends an expectation.
func (t *expectations) wasExpected(e names.Entry) bool {
	t.expectMu.Lock()
	defer t.expectMu.Unlock()
	defer delete(t.expected, e)
	return t.expected[e]
}

// Invalidate tells the kernel which names lead elsewhere now, or nowhere, or
// somewhere for the first time, and which listings are old. It is the
// catalogue's Changed callback and does not wait for the kernel.
func (t *notices) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	changed := names.Changed(old, new, d, t.wasExpected)
	for _, id := range relisted(d) {
		if c := t.category(id); c != nil {
			t.Send(func() { c.drop(changed[id]) })
		}
	}
}

// relisted are the nodes whose listings differ: also of categories that went,
// because somebody may stand there, or that are there again.
func relisted(d catalogue.Diff) []int64 {
	ids := slices.Concat(d.Dirs, d.Added)
	for _, n := range d.Gone {
		if n.Kind == remote.CategoryNode {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// drop drops names and the listing of a directory from the kernel.
func (c *category) drop(names []string) {
	notice.Readers(&c.Inode)
	notice.Entries(&c.Inode, names)
}
