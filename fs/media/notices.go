package media

import (
	"context"
	"slices"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
	"paperfs/fs/notice"
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

// drop drops from the kernel what it has under names of the directory: for
// entries whatever they lead to, and the listing; for contents the content and
// attributes of the file alone. It must not run in a handler: it waits for
// them.
func (d *dirNode) drop(entries, contents []string) {
	notice.Readers(&d.Inode)
	notice.Contents(&d.Inode, slices.Concat(entries, contents))
	if len(entries) > 0 {
		notice.Entries(&d.Inode, entries)
	}
}
