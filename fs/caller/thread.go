package caller

import (
	"context"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// Thread returns the kernel's number of the calling thread, or 0 if it is not known.
func Thread(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}
