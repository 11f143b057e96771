package papers

import (
	"context"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// threadOf is the kernel's number of the calling thread, 0 where it is not known.
func threadOf(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}
