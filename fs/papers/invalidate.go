package papers

import (
	"context"
	"slices"
	"sync"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sync/errgroup"

	"paperfs/cache/catalogue"
	"paperfs/fs/inode"
	"paperfs/remote"
)

// notices is what the kernel is told of changes. It keeps names, their
// absence, attributes and listings for long, and relies on being told.
type notices struct {
	mu       sync.Mutex
	root     *category           // set before the first call
	known    map[int64]*category // guarded by mu: the other categories that the kernel has had, by id
	expected map[entry]bool      // guarded by mu: see expect
	last     chan struct{}       // guarded by mu: closed when the last Invalidate has told all; nil before the first
	senders  errgroup.Group
}

// entry is a name in a category.
type entry struct {
	dir  int64
	name string
}

// senders is how many directories are told of at a time. A notification waits
// for what the kernel has under way in that directory, such as a mkdir that
// waits for the service; it must not hold up the others.
const senders = 8

func (t *notices) init() {
	t.known, t.expected = make(map[int64]*category), make(map[entry]bool)
	t.senders.SetLimit(senders)
}

// enter gives the node that stands for a category: one for each, for as long as
// the mount lives. The kernel would go on with the first of two nodes for
// one thing, and notifications that went to the second would be lost. Which
// nodes the kernel has forgotten is no help, since it may be about to look one
// up again.
func (t *notices) enter(ctx context.Context, parent *category, id int64) *category {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.known[id]
	if c == nil {
		c = &category{place{Tree: parent.Tree, node: id}}
		parent.NewInode(ctx, c, gofs.StableAttr{Mode: syscall.S_IFDIR, Ino: inode.Node(remote.CategoryNode, id)})
		t.known[id] = c
	}
	return c
}

// category is the node of a category, nil where the kernel never had one.
func (t *notices) category(id int64) *category {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root != nil && t.root.id() == id {
		return t.root
	}
	return t.known[id]
}

// expect says that the kernel is about to enter a name by itself, because it
// waits for a mkdir or rename: dropping that name after it would pull the new
// directory from under who works in it already. Where the kernel does not
// enter it, unexpect is to be called: the name is then dropped, because a
// notification may have been left out.
func (c *category) expect(name string) (unexpect func()) {
	e := entry{c.id(), name}
	c.mu.Lock()
	c.expected[e] = true
	c.mu.Unlock()
	return func() {
		c.wasExpected(e)
		// Not in the handler: the kernel holds the directory until it returns.
		go c.NotifyEntry(name)
	}
}

// wasExpected ends an expectation.
func (t *notices) wasExpected(e entry) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer delete(t.expected, e)
	return t.expected[e]
}

// Invalidate tells the kernel which names lead elsewhere now, or nowhere, or
// somewhere for the first time, and which listings are old. It is the
// catalogue's Changed callback and does not wait for the kernel.
func (t *notices) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	names := t.changedNames(old, new, d)
	var told sync.WaitGroup
	for _, id := range listedAnew(d) {
		c := t.category(id)
		if c == nil {
			continue
		}
		told.Add(1)
		t.senders.Go(func() error {
			defer told.Done()
			c.send(names[id])
			return nil
		})
	}
	done := make(chan struct{})
	t.mu.Lock()
	before := t.last
	t.last = done
	t.mu.Unlock()
	go func() {
		defer close(done)
		told.Wait()
		if before != nil {
			<-before
		}
	}()
}

// listedAnew are the nodes whose listings differ: also of categories that went,
// because somebody may stand there, or that are there again.
func listedAnew(d catalogue.Diff) []int64 {
	ids := slices.Concat(d.Dirs, d.Added)
	for _, n := range d.Gone {
		if n.Kind == remote.CategoryNode {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// send drops names and the listing of a directory from the kernel.
//
// The first notification waits until readings of the directory that are under
// way have ended, so that the second drops what they brought.
func (c *category) send(names []string) {
	// ENOENT means that the kernel does not know the directory or the name.
	_ = c.NotifyEntry(".")
	for _, name := range names {
		_ = c.NotifyEntry(name)
	}
	_ = c.NotifyContent(0, 0)
}

// Told waits until the kernel has been told of all changes that Invalidate was
// called for.
func (t *notices) Told(ctx context.Context) {
	t.mu.Lock()
	last := t.last
	t.mu.Unlock()
	if last == nil {
		return
	}
	select {
	case <-last:
	case <-ctx.Done():
	}
}

// changedNames are, by category, the names that lead elsewhere: those of the
// nodes that changed, and of siblings that gained or lost their ~ID by that.
func (t *notices) changedNames(old, new *catalogue.Snapshot, d catalogue.Diff) map[int64][]string {
	c := comparison{old: old, new: new, seen: make(map[entry]bool), names: make(map[int64][]string), skip: t.wasExpected}
	for _, n := range d.Gone {
		c.compare(n)
	}
	for _, id := range d.Moved {
		if n, ok := old.Brief(id); ok {
			c.compare(n)
		}
		if n, ok := new.Brief(id); ok {
			c.compare(n)
		}
	}
	for _, id := range d.Added {
		if n, ok := new.Brief(id); ok {
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
