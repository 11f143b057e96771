package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/inode"
)

// child returns the node of an inode below parent.
func (t *tree) child(ctx context.Context, parent *gofs.Inode, a media.Attr) *gofs.Inode {
	id := gofs.StableAttr{Ino: inode.Media(uint64(a.Ino))}
	switch a.Kind {
	case media.Directory:
		id.Mode = syscall.S_IFDIR
		return t.enter(ctx, parent, a.Ino, id)
	case media.Symlink:
		id.Mode = syscall.S_IFLNK
		return parent.NewInode(ctx, &linkNode{tree: t, ino: a.Ino}, id)
	}
	id.Mode = syscall.S_IFREG
	return parent.NewInode(ctx, &fileNode{tree: t, ino: a.Ino}, id)
}

// entry fills the reply of a call that creates or finds a child.
func (t *tree) entry(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	t.store.Known(a.Ino)
	return t.known(ctx, parent, a, out)
}

// known is entry for an inode that the store already counts as known to the kernel.
func (t *tree) known(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	t.fill(a, &out.Attr)
	out.SetAttrTimeout(t.attrValid(a))
	out.SetEntryTimeout(nameValid(a))
	return t.child(ctx, parent, a)
}
