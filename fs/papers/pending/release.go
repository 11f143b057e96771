package pending

import (
	"context"
	"syscall"
)

func (h *Handle) Release(ctx context.Context) syscall.Errno {
	if h.uses != nil {
		_ = h.uses.Released() // direct I/O: no mapping can have changed it since
	}
	h.file.ReleaseInBackground()
	if h.claimed != "" {
		h.set.Others.Release(h.Paper(), h.claimed, h.written.Load() && !h.removed.Load() && h.draft.Failure() == nil)
	}
	if h.set.removeHandle(h) {
		h.end(ctx)
	}
	return 0
}
