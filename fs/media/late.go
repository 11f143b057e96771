package media

import (
	"context"

	"paperfs/cache/media"
	"paperfs/fs/virtual"
)

// A change is late while it runs on after a signal ended its caller: the kernel no longer
// locks its names. A caller that uses one of them waits until the change ends, and a signal
// can end that wait, too.

// await waits for late changes of the name of an inode. It returns an error if the inode
// has another name afterwards.
func (t *tree) await(ctx context.Context, ino media.Ino) error {
	return t.waitLate(ctx, func(ctx context.Context) error { return t.store.AwaitInode(ctx, ino) })
}

// await waits for late changes of an entry.
func (d Dir) await(ctx context.Context, name string) error {
	return d.tree.waitLate(ctx, func(ctx context.Context) error { return d.tree.store.AwaitName(ctx, d.ino, name) })
}

func (t *tree) waitLate(ctx context.Context, wait func(context.Context) error) error {
	if !t.store.Late() {
		return nil
	}
	_, err := virtual.Read(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, wait(ctx) })
	return err
}
