package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/virtual"
)

// Mknod creates regular files, because some programs create lock files this way.
func (d Dir) Mknod(ctx context.Context, name string, mode, _ uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if err := d.await(ctx, name); err != nil {
		return nil, d.failed("mknod", name, err)
	}
	if mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, d.failed("mknod", name, errDevice)
	}
	a, h, err := d.tree.store.Create(d.ino, name, d.tree.creator(ctx, name, mode))
	if err != nil {
		return nil, d.failed("mknod", name, err)
	}
	h.Release()
	return d.tree.entry(ctx, d.in, a, out), 0
}

func (d Dir) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if err := d.await(ctx, name); err != nil {
		return nil, nil, 0, d.failed("create", name, err)
	}
	by := d.tree.creator(ctx, name, mode)
	if flags&syscall.O_EXCL != 0 {
		if err := d.mustBeNew(ctx, name, by); err != nil {
			return nil, nil, 0, d.failed("create", name, err)
		}
	}
	a, h, err := d.tree.store.Create(d.ino, name, by)
	if media.Is(err, media.Exists) && flags&syscall.O_EXCL == 0 {
		a, h, err = d.openExisting(ctx, name, flags, err)
	}
	if err != nil {
		return nil, nil, 0, d.failed("create", name, err)
	}
	return d.tree.entry(ctx, d.in, a, out), d.tree.openForWriting(ctx, h, flags), openFlags(flags, h), 0
}

// openExisting opens a file that exists although the kernel had cached its absence, unless
// another spelling of the name is taken.
func (d Dir) openExisting(ctx context.Context, name string, flags uint32, taken error) (media.Attr, *media.Handle, error) {
	a, err := d.tree.store.Lookup(ctx, d.ino, name)
	if err != nil || a.Kind != media.File {
		return a, nil, taken
	}
	if err := d.tree.await(ctx, a.Ino); err != nil {
		return a, nil, err
	}
	h, err := d.tree.store.Open(a.Ino, true)
	if err == nil && flags&syscall.O_TRUNC != 0 {
		err = h.Truncate(0)
	}
	if err != nil && h != nil {
		h.Release()
	}
	return a, h, err
}

// mustBeNew checks that others have not created a name on the service. A signal can end
// the wait.
func (d Dir) mustBeNew(ctx context.Context, name string, by media.New) error {
	_, err := virtual.Read(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, d.tree.store.CheckNewName(ctx, d.ino, name, by.Comm)
	})
	return err
}
