package media

import (
	"context"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
)

// enter returns the node of a directory, which stays the same for as long as the store has
// the directory.
func (t *tree) enter(ctx context.Context, parent *gofs.Inode, ino media.Ino, id gofs.StableAttr) *gofs.Inode {
	return &t.notices.Enter(ino, func() *dirNode {
		d := newDir(t, ino)
		parent.NewInode(ctx, d, id)
		return d
	}).Inode
}

// OnForget releases the node of a removed directory.
func (d *dirNode) OnForget() {
	d.tree.store.Forgotten(d.ino)
	if _, err := d.tree.store.Stat(d.ino); err != nil {
		d.tree.notices.Forget(d.ino)
	}
}

// changed tells the kernel of a change that did not come through the kernel.
func (t *tree) changed(c media.Changed) {
	d := t.notices.Dir(c.Dir)
	if d == nil {
		t.store.Notified(c) // the kernel knows nothing of the directory
		return
	}
	t.notices.Send(func() {
		d.dropCached(c.Entries...)
		t.store.Notified(c)
	})
}

// waitNotices waits until the kernel has been told of all changes so far.
func (t *tree) waitNotices(ctx context.Context) {
	t.store.WaitNotified(ctx)
	t.notices.WaitNotified(ctx)
}
