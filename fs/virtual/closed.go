package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/describe"
)

// Closed is the inode of a directory in which nothing can be made or removed,
// but by the methods that its node has of its own. The node embeds it, and is a
// Refuser.
type Closed struct{ describe.Described }

// Refuser says in words why op cannot be done with a name.
type Refuser interface {
	Refuse(op, name string) syscall.Errno
}

var (
	_ gofs.NodeMkdirer   = (*Closed)(nil)
	_ gofs.NodeMknoder   = (*Closed)(nil)
	_ gofs.NodeCreater   = (*Closed)(nil)
	_ gofs.NodeSymlinker = (*Closed)(nil)
	_ gofs.NodeLinker    = (*Closed)(nil)
	_ gofs.NodeUnlinker  = (*Closed)(nil)
	_ gofs.NodeRmdirer   = (*Closed)(nil)
)

// refuse asks the node that embeds c.
func (c *Closed) refuse(op, name string) syscall.Errno {
	return c.Operations().(Refuser).Refuse(op, name)
}

func (c *Closed) Mkdir(_ context.Context, name string, _ uint32, _ *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, c.refuse("mkdir", name)
}

func (c *Closed) Mknod(_ context.Context, name string, _, _ uint32, _ *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, c.refuse("mknod", name)
}

func (c *Closed) Create(_ context.Context, name string, _, _ uint32, _ *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	return nil, nil, 0, c.refuse("create", name)
}

func (c *Closed) Symlink(_ context.Context, _, name string, _ *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, c.refuse("symlink", name)
}

func (c *Closed) Link(_ context.Context, _ gofs.InodeEmbedder, name string, _ *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, c.refuse("link", name)
}

func (c *Closed) Unlink(_ context.Context, name string) syscall.Errno {
	return c.refuse("unlink", name)
}

func (c *Closed) Rmdir(_ context.Context, name string) syscall.Errno { return c.refuse("rmdir", name) }
