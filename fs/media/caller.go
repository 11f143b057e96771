package media

import (
	"context"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/content/localname"
	"paperfs/cache/media"
	"paperfs/fs/caller"
)

// creator returns the caller of ctx as the creator of name.
func (t *tree) creator(ctx context.Context, name string, mode uint32) media.New {
	n := media.New{Mode: mode, UID: media.Owner, GID: media.Owner}
	if c, ok := fuse.FromContext(ctx); ok {
		n.UID, n.GID = int64(c.Uid), int64(c.Gid)
	}
	n.Comm = comm(ctx, name)
	return n
}

// comm returns the name of the calling program if it decides whether name is scratch.
func comm(ctx context.Context, name string) string {
	c, ok := fuse.FromContext(ctx)
	if !ok || !localname.CommMatters(name) {
		return ""
	}
	return caller.Comm(caller.Process(c.Pid)) // a thread can rename itself
}

// interrupted reports whether the caller is an rsync that keeps a partial file (see
// caller.Interrupted).
func interrupted(ctx context.Context) bool {
	c, ok := fuse.FromContext(ctx)
	return ok && caller.Interrupted(c.Pid)
}
