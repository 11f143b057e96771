package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
)

func (d Dir) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	var made media.Attr
	by := d.tree.creator(ctx, name, mode)
	errno := d.change(ctx, "mkdir", name, func(ctx context.Context) (err error) {
		made, err = d.tree.store.Mkdir(ctx, d.ino, name, by)
		return err
	})
	if errno != 0 {
		return nil, errno
	}
	return d.tree.entry(ctx, d.in, made, out), 0
}
