package pending

import (
	"context"
	"slices"
	"syscall"
)

func (h *Handle) Release(ctx context.Context) syscall.Errno {
	if h.uses != nil {
		_ = h.uses.Released() // direct I/O: no mapping can have changed it since
	}
	h.file.ReleaseInBackground()
	if h.claimed != "" {
		h.set.Others.Release(h.Paper(), h.claimed, h.succeeds())
	}
	h.endIfIdle(ctx, func() { h.handles = slices.DeleteFunc(h.handles, func(another *Handle) bool { return another == h }) })
	return 0
}
