package media

import (
	"context"
	"maps"
	"slices"
	"sync"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sync/errgroup"

	"paperfs/cache/media"
)

// notices is what the kernel is told of changes. It keeps names, their
// absence, attributes and listings for long, and relies on being told of what
// it does not do itself.
type notices struct {
	mu      sync.Mutex
	dirs    map[media.Ino]*dirNode     // guarded by mu: the directories that the kernel has had
	sending map[chan struct{}]struct{} // guarded by mu: each is closed when the kernel has obeyed
	senders errgroup.Group
}

// senders is how many directories are told of at a time. A notification waits
// for what the kernel has under way in that directory, such as a rename that
// waits for its upload; it must not hold up the others.
const senders = 8

func (t *notices) init() {
	t.dirs, t.sending = make(map[media.Ino]*dirNode), make(map[chan struct{}]struct{})
	t.senders.SetLimit(senders)
}

// enter gives the node that stands for a directory: one for each, for as long as
// the store has it. The kernel would go on with the first of two nodes for one
// thing, and notifications that went to the second would be lost. Which nodes
// the kernel has forgotten is no help, since it may be about to look one up
// again.
func (t *tree) enter(ctx context.Context, parent *gofs.Inode, ino media.Ino, id gofs.StableAttr) *gofs.Inode {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.dirs[ino]
	if d == nil {
		d = &dirNode{tree: t, ino: ino}
		parent.NewInode(ctx, d, id)
		t.dirs[ino] = d
	}
	return &d.Inode
}

// OnForget lets the node of a removed directory go.
func (d *dirNode) OnForget() {
	d.tree.store.Forgotten(d.ino)
	if _, err := d.tree.store.Stat(d.ino); err != nil {
		d.tree.mu.Lock()
		delete(d.tree.dirs, d.ino)
		d.tree.mu.Unlock()
	}
}

// changed has the kernel told of a change that it did not make itself.
func (t *notices) changed(c media.Changed) {
	t.mu.Lock()
	d := t.dirs[c.Dir]
	if d == nil { // the kernel never had it
		t.mu.Unlock()
		return
	}
	told := make(chan struct{})
	t.sending[told] = struct{}{}
	t.mu.Unlock()
	t.senders.Go(func() error {
		d.drop(c.Entries, c.Contents)
		t.mu.Lock()
		delete(t.sending, told)
		t.mu.Unlock()
		close(told)
		return nil
	})
}

// told waits until the kernel has been told of all changes up to now.
func (t *tree) told(ctx context.Context) {
	t.store.Told(ctx)
	t.mu.Lock()
	sending := slices.Collect(maps.Keys(t.sending))
	t.mu.Unlock()
	for _, told := range sending {
		select {
		case <-told:
		case <-ctx.Done():
			return
		}
	}
}

// drop drops from the kernel what it has under names of the directory: for
// entries whatever they lead to, and the listing; for contents the content and
// attributes of the file alone. It must not run in a handler: it waits for
// them.
func (d *dirNode) drop(entries, contents []string) {
	// The first notification, of a name that no dentry has, waits until look-ups
	// and readings of the directory that are under way have ended, so that the
	// others drop what they brought. ENOENT means that the kernel does not know
	// the directory or the name.
	_ = d.NotifyEntry(".")
	for _, name := range slices.Concat(entries, contents) {
		if child := d.GetChild(name); child != nil && !child.IsDir() {
			_ = child.NotifyContent(0, 0)
		}
	}
	for _, name := range entries {
		_ = d.NotifyEntry(name)
	}
	if len(entries) > 0 {
		_ = d.NotifyContent(0, 0)
	}
}
