package media

import (
	"context"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
)

// enter is the node that stands for a directory, for as long as the store has
// that.
func (t *tree) enter(ctx context.Context, parent *gofs.Inode, ino media.Ino, id gofs.StableAttr) *gofs.Inode {
	return &t.notices.Enter(ino, func() *dirNode {
		d := &dirNode{tree: t, ino: ino}
		parent.NewInode(ctx, d, id)
		return d
	}).Inode
}

// OnForget lets the node of a removed directory go.
func (d *dirNode) OnForget() {
	d.tree.store.Forgotten(d.ino)
	if _, err := d.tree.store.Stat(d.ino); err != nil {
		d.tree.notices.Forget(d.ino)
	}
}

// changed has the kernel told of a change that it did not make itself.
func (t *tree) changed(c media.Changed) {
	if d := t.notices.Dir(c.Dir); d != nil {
		t.notices.Send(func() { d.drop(c.Entries, c.Contents) })
	}
}

// told waits until the kernel has been told of all changes up to now.
func (t *tree) told(ctx context.Context) {
	t.store.Told(ctx)
	t.notices.Told(ctx)
}
