package media

import (
	"context"
	"syscall"

	"paperfs/fs/caller"
	"paperfs/fs/flush"
)

// Flush answers a close. If this close publishes the file, Flush returns the outcome of
// the upload. An upload continues if a signal ends its caller.
func (h *handle) Flush(ctx context.Context) syscall.Errno {
	if h.uses == nil {
		return 0
	}
	h.tree.noteClosed(h)
	if h.file.Clean() {
		h.uses.FlushedClean(caller.Thread(ctx))
		return 0
	}
	verdict, spoiled := h.uses.Flushed(caller.Thread(ctx))
	if verdict == flush.Publish {
		if spoiled = h.tree.cut(h); spoiled != nil {
			verdict = flush.Spoil
		}
	}
	switch verdict {
	case flush.Leave:
		return h.failed("upload", h.file.Torn()) // the last close does not publish it
	case flush.Spoil:
		return h.spoil(spoiled)
	}
	return h.tree.change(ctx, "upload", h.attr(), h.file.Flush, nil)
}

// released judges writes after the last close, such as mapped ones.
func (h *handle) released() {
	if h.uses == nil {
		return
	}
	h.tree.noteReleased(h)
	if spoiled := h.uses.Released(); spoiled != nil {
		h.spoil(spoiled)
	}
	h.failed("upload", h.file.Untold())
}

// spoil keeps what was written from being published: the file's name lets go of it. The close
// returns the reason.
func (h *handle) spoil(reason error) syscall.Errno {
	h.file.Abandon(reason)
	return h.failed("upload", reason)
}

// Release does not wait: see ReleaseInBackground.
func (h *handle) Release(context.Context) syscall.Errno {
	if h.uses == nil {
		h.tree.readEnds()
	}
	h.released()
	h.file.ReleaseInBackground()
	return 0
}
