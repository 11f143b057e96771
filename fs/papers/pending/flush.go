package pending

import (
	"cmp"
	"context"
	"syscall"

	"paperfs/fs/caller"
	"paperfs/fs/flush"
	"paperfs/fs/virtual"
)

// Flush is called at each close. The last close after a write sends the PDF and returns
// the outcome. After a kill the content may be incomplete and is not sent. If another
// handle has written too, the close of that handle sends it.
func (h *Handle) Flush(ctx context.Context) syscall.Errno {
	if h.uses == nil {
		return 0
	}
	if lacks := cmp.Or(h.file.Broken(), h.file.Untold()); lacks != nil {
		h.uses.FlushedClean(caller.Thread(ctx))
		return h.flushIncomplete(lacks)
	}
	if h.onlyTruncated() {
		if verdict, _ := h.uses.Flushed(caller.Thread(ctx)); verdict == flush.Spoil {
			h.undoTruncate()
		}
		return 0
	}
	if h.set.closeOfTemp(h, caller.Thread(ctx)) {
		return 0
	}
	if h.removed.Load() || h.file.Settled() {
		h.uses.FlushedClean(caller.Thread(ctx))
		return 0
	}
	judge := h.uses.LastFlushed
	if h.set.openElsewhere(h) {
		judge = h.uses.Flushed // the descriptor that a program holds may be of the other handle, such as one for a lock
	}
	verdict, spoiled := judge(caller.Thread(ctx))
	if verdict == flush.Leave {
		return 0
	}
	if verdict == flush.Spoil {
		return h.flushIncomplete(spoiled)
	}
	h.file.Told()
	if h.set.anotherWillSend(h) {
		return 0
	}
	if h.set.Media.WriteBack() {
		return h.fail("process", h.queue())
	}
	if h.draft.Queued() { // by an earlier mount with --write-back: the content sent now replaces it
		h.draft.Unqueue(false)
	}
	err := virtual.Change(ctx, h.send, func(err error) { h.tell("process", err) })
	return h.tell("process", err)
}

// flushIncomplete is Flush after a refused write or a kill: nothing is sent, the names let go of what was
// written, and the next writer starts from the PDF as it was before, also before a truncation by this handle.
func (h *Handle) flushIncomplete(lacks error) syscall.Errno {
	h.file.Told()
	h.undoTruncate()
	h.letGo(lacks)
	return h.fail("process", lacks)
}

// Fsync makes the written content durable on this machine; only a close sends it.
func (h *Handle) Fsync(context.Context, uint32) syscall.Errno {
	return h.fail("fsync", h.file.Fsync())
}
