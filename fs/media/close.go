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
	closer := caller.Thread(ctx)
	if h.file.Clean() {
		h.uses.FlushedClean(closer)
		return 0
	}
	a := h.attr()
	if a.PDF && h.file.Unpublishable() {
		h.uses.FlushedClean(closer)
		return h.tree.change(ctx, "process", a, h.file.Flush, nil)
	}
	judge, op := h.uses.Flushed, "upload"
	if a.PDF {
		op = "process"
		if h.tree.sendsLast(h) {
			judge = h.uses.LastFlushed
		}
	}
	verdict, spoiled := judge(closer)
	if verdict == flush.Publish {
		if spoiled = h.tree.cut(h); spoiled != nil {
			verdict = flush.Spoil
		}
	}
	switch {
	case verdict == flush.Leave:
		return h.failed(op, h.file.Torn()) // the last close does not publish it
	case verdict == flush.Spoil:
		return h.spoil(op, spoiled)
	case a.PDF && h.tree.othersSend(h):
		return 0
	}
	return h.tree.change(ctx, op, a, h.file.Flush, nil)
}

// released judges writes after the last close, such as mapped ones.
func (h *handle) released() {
	if h.uses == nil {
		return
	}
	h.tree.noteReleased(h)
	if spoiled := h.uses.Released(); spoiled != nil {
		h.spoil("upload", spoiled)
	}
	h.failed("upload", h.file.Unreported())
}

// spoil keeps what was written from being published: the file's name no longer refers to it. The close
// returns the reason.
func (h *handle) spoil(op string, reason error) syscall.Errno {
	h.file.Abandon(reason)
	return h.failed(op, reason)
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
