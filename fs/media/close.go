package media

import (
	"context"
	"fmt"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
)

// opener is the process that calls.
func opener(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return caller.Process(c.Pid)
	}
	return 0
}

// Flush answers each close with the outcome of the upload. An upload that has
// begun goes on when its caller is ended.
func (h *handle) Flush(ctx context.Context) syscall.Errno {
	if h.file.Clean() || !h.whole(ctx) {
		return 0
	}
	return h.tree.change(ctx, "upload", h.what(), h.file.Flush, nil)
}

// whole reports whether a close says that the file is as it is meant to be.
// What a killed program leaves is not, and neither does a process that merely
// has inherited it make it so. An exec is answered at once, because the whole
// machine's ps waits for it: a later close publishes, or the last release.
func (h *handle) whole(ctx context.Context) bool {
	c, ok := fuse.FromContext(ctx)
	if !ok {
		return true
	}
	closing := caller.CloseOf(c.Pid)
	switch {
	case closing.Killed:
		err := fmt.Errorf("%s was killed before it had written the whole", closing.Program)
		h.file.Abandon(err)
		h.failed("upload", err)
		return false
	case closing.Exec:
		return false
	}
	return !h.file.Abandoned() || h.opener != 0 && closing.Process == h.opener
}
