package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sys/unix"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

func (d *dirNode) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^unix.RENAME_NOREPLACE != 0 {
		return d.failed("rename", name, errFlags)
	}
	path := virtual.Path(newParent.EmbeddedInode(), newName)
	to, ok := newParent.(directory)
	if !ok {
		return d.failed("rename", name, errno.Onto(path, errOutside))
	}
	program := comm(ctx, newName)
	if interrupted(ctx) && !d.tree.store.Scratch(to.number(), newName, program) {
		return d.failed("rename", name, errno.Onto(path, errPartial))
	}
	what := d.child(name)
	return d.tree.change(ctx, "rename", what, func(ctx context.Context) error {
		return errno.Onto(path, d.tree.store.Rename(ctx, d.ino, name, to.number(), newName, flags&unix.RENAME_NOREPLACE != 0, program))
	}, func() {
		d.dropCached(name)
		to.dropCached(newName)
	})
}

// RetryFailed publishes an entry of failed/ under a name in this directory.
func (d *dirNode) RetryFailed(ctx context.Context, entry, name string, noReplace bool) error {
	return d.tree.store.RetryFailed(ctx, entry, d.ino, name, noReplace)
}
