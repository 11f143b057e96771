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
	"paperfs/remote"
)

// notices is what the kernel is told of changes.
type notices struct {
	*notice.Set[int64, category]           // the categories but the root, by id
	root                         *category // set before the first call
	expectations
}

// entry is a name in a category.
type entry struct {
	dir  int64
	name string
}

// expectations are names that the kernel is about to enter by itself.
type expectations struct {
	expectMu sync.Mutex
	expected map[entry]bool // guarded by expectMu
}

func newNotices() notices {
	return notices{Set: notice.New[int64, category](), expectations: expectations{expected: make(map[entry]bool)}}
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
	e := entry{c.nodeID(), name}
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
func (t *expectations) wasExpected(e entry) bool {
	t.expectMu.Lock()
	defer t.expectMu.Unlock()
	defer delete(t.expected, e)
	return t.expected[e]
}

// Invalidate tells the kernel which names lead elsewhere now, or nowhere, or
// somewhere for the first time, and which listings are old. It is the
// catalogue's Changed callback and does not wait for the kernel.
func (t *notices) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	names := t.changedNames(old, new, d)
	for _, id := range relisted(d) {
		if c := t.category(id); c != nil {
			t.Send(func() { c.drop(names[id]) })
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

// changedNames are, by category, the names that lead elsewhere: those of the
// nodes that changed, and of siblings that gained or lost their ~ID by that.
func (t *notices) changedNames(old, new *catalogue.Snapshot, d catalogue.Diff) map[int64][]string {
	c := comparison{old: old, new: new, seen: make(map[entry]bool), names: make(map[int64][]string), skip: t.wasExpected}
	for _, n := range d.Gone {
		c.compare(n)
	}
	for _, id := range d.Moved {
		if n, ok := old.WithoutAddress(id); ok {
			c.compare(n)
		}
		if n, ok := new.WithoutAddress(id); ok {
			c.compare(n)
		}
	}
	for _, id := range d.Added {
		if n, ok := new.WithoutAddress(id); ok {
			c.compare(n)
		}
	}
	return c.names
}

// comparison finds out which names lead elsewhere in a new tree.
type comparison struct {
	old, new *catalogue.Snapshot
	seen     map[entry]bool // plain names that were compared
	names    map[int64][]string
	skip     func(entry) bool
}

// compare looks at the names of all that have the plain name of n in its
// category, before and after.
func (c *comparison) compare(n remote.Node) {
	plainName := plain(n)
	if e := (entry{n.Parent, plainName}); c.seen[e] {
		return
	} else {
		c.seen[e] = true
	}
	before, after := shownAlike(c.old, n.Parent, plainName), shownAlike(c.new, n.Parent, plainName)
	for name, node := range before {
		if after[name] != node {
			c.changed(entry{n.Parent, name}, after[name] != nobody)
		}
	}
	for name := range after {
		if _, known := before[name]; !known {
			c.changed(entry{n.Parent, name}, true)
		}
	}
}

func (c *comparison) changed(e entry, leads bool) {
	if expected := c.skip(e); !expected || !leads {
		c.names[e.dir] = append(c.names[e.dir], e.name)
	}
}

// who is a node's identity to the kernel.
type who struct {
	kind remote.NodeKind
	id   int64
}

var nobody who

// shownAlike are the names of the children that have a plain name.
func shownAlike(s *catalogue.Snapshot, parent int64, name string) map[string]who {
	var nodes []remote.Node
	alike(s, parent, name, func(n remote.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	shown := make(map[string]who, len(nodes))
	for _, n := range nodes {
		shown[among(n, name, len(nodes) > 1)] = who{n.Kind, n.ID}
	}
	return shown
}
