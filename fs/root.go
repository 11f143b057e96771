package fs

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/fs/virtual"
)

// root is the mount's root directory. Its entries exist from the start and never
// change.
type root struct {
	virtual.Dir
	children     []rootChild
	media        *mediafs.Root
	startNotices func() // starts the notices of other people's changes
}

type rootChild struct {
	name   string
	node   gofs.InodeEmbedder
	mode   uint32 // the file type
	number uint64 // 0: the number of a generated name
}

var (
	_ gofs.NodeOnAdder  = (*root)(nil)
	_ gofs.NodeLookuper = (*root)(nil)
)

// OnAdd creates the children as persistent inodes, so that a FORGET does not drop them.
func (r *root) OnAdd(ctx context.Context) {
	for _, c := range r.children {
		if c.number == 0 {
			c.number = r.Numbers.Number(inode.Root, c.name)
		}
		r.AddChild(c.name, r.NewPersistentInode(ctx, c.node, gofs.StableAttr{Mode: c.mode, Ino: c.number}), false)
	}
}

func (r *root) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	child := r.GetChild(name)
	if child == nil {
		return nil, syscall.ENOENT
	}
	var attr fuse.AttrOut
	if errno := child.Operations().(gofs.NodeGetattrer).Getattr(ctx, nil, &attr); errno != 0 {
		return nil, errno
	}
	out.Attr = attr.Attr
	out.SetAttrTimeout(attr.Timeout())
	out.SetEntryTimeout(time.Hour)
	return child, 0
}

// List implements virtual.Source.
func (r *root) List(context.Context) ([]virtual.Entry, error) {
	entries := make([]virtual.Entry, len(r.children))
	for i, c := range r.children {
		entries[i] = virtual.Entry{Name: c.name, Mode: c.mode, Ino: r.GetChild(c.name).StableAttr().Ino}
	}
	return entries, nil
}

// Find implements virtual.Source. It is not used: Lookup finds the children.
func (r *root) Find(context.Context, string) (virtual.Node, error) { return nil, nil }
