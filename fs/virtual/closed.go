package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
)

// Closed is the inode of a directory in which programs can create or remove nothing,
// except through methods that its node overrides. The node embeds Closed and implements
// Refuser.
type Closed struct{ inode.Described }

// Refuser returns the errno of an operation on a name, and records in words why it is refused.
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

// refuse calls the node that embeds c.
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
