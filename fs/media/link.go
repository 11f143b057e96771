package media

import (
	"context"
	"errors"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func (d Dir) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if err := d.await(ctx, name); err != nil {
		return nil, d.failed("symlink", name, err)
	}
	a, err := d.tree.store.Symlink(d.ino, name, target, d.tree.creator(ctx, name, 0o777))
	if err != nil {
		return nil, d.failed("symlink", name, err)
	}
	return d.tree.entry(ctx, d.in, a, out), 0
}

func (d Dir) Link(ctx context.Context, target gofs.InodeEmbedder, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	file, ok := target.(numbered)
	if !ok {
		return nil, d.failed("link", name, errLink)
	}
	if err := errors.Join(d.tree.await(ctx, file.number()), d.await(ctx, name)); err != nil {
		return nil, d.failed("link", name, err)
	}
	a, err := d.tree.store.Link(file.number(), d.ino, name, comm(ctx, name))
	if err != nil {
		return nil, d.failed("link", name, err)
	}
	return d.tree.entry(ctx, d.in, a, out), 0
}
