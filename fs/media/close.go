package media

import (
	"context"
	"syscall"

	"paperfs/fs/flush"
)

// Flush answers a close. Where that is the one which publishes, it does so with
// the outcome of the upload; an upload that has begun goes on when its caller
// is ended.
func (h *handle) Flush(ctx context.Context) syscall.Errno {
	if h.uses == nil {
		return 0
	}
	h.tree.got(h)
	if h.file.Clean() {
		h.uses.FlushedClean(thread(ctx))
		return 0
	}
	switch verdict, spoiled := h.uses.Flushed(thread(ctx)); verdict {
	case flush.Leave:
		return h.failed("upload", h.file.Torn()) // the last close publishes nothing of it
	case flush.Spoil:
		return h.spoil(spoiled)
	}
	return h.tree.change(ctx, "upload", h.what(), h.file.Flush, nil)
}

// released judges what came after the last close.
func (h *handle) released() {
	if h.uses == nil {
		return
	}
	h.tree.got(h)
	if spoiled := h.uses.Released(); spoiled != nil {
		h.spoil(spoiled)
	}
}

// spoil has nothing of the file published until more is written. Its close
// returns the reason.
func (h *handle) spoil(reason error) syscall.Errno {
	h.file.Abandon(reason)
	return h.failed("upload", reason)
}

// Release waits for nothing: see ReleaseInBackground.
func (h *handle) Release(context.Context) syscall.Errno {
	if h.uses == nil {
		h.tree.readEnds()
	}
	h.released()
	h.file.ReleaseInBackground()
	return 0
}
