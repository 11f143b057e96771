package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/virtual"
)

func (d Dir) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if err := d.await(ctx, name); err != nil {
		return nil, d.failed("look up", name, err)
	}
	a, err := awaitTree(ctx, d.tree, func(ctx context.Context) (media.Attr, error) { return d.tree.store.Lookup(ctx, d.ino, name) })
	if media.Is(err, media.NotFound) {
		out.SetEntryTimeout(entryValid)
	}
	if err != nil {
		return nil, d.failed("look up", name, err)
	}
	return d.tree.entry(ctx, d.in, a, out), 0
}

func (d *dirNode) OpendirHandle(ctx context.Context, _ uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	_, err := awaitTree(ctx, d.tree, func(ctx context.Context) (struct{}, error) { return struct{}{}, d.tree.store.AwaitIn(ctx, d.ino) })
	if err != nil {
		return nil, 0, d.failed("list", "", err)
	}
	if _, err := d.tree.store.Stat(d.ino); err != nil {
		return d.list(), 0, 0 // the kernel must not use its cached listing of a removed directory
	}
	return d.list(), fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
}

// awaitTree calls ask. If the store still waits for the service's first answer, a signal can
// end the wait.
func awaitTree[T any](ctx context.Context, t *tree, ask func(context.Context) (T, error)) (T, error) {
	if t.store.Ready() {
		return ask(ctx)
	}
	return virtual.Read(ctx, ask)
}
