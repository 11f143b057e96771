package pending

import (
	"context"
	"syscall"

	"paperfs/fs/caller"
	"paperfs/fs/flush"
	"paperfs/fs/virtual"
)

// Flush is called at each close. The last close that follows a write sends the PDF, and returns how
// that ended. What a killed program has left is half a PDF and is not sent. Where another
// handle has written as well, its close sends.
func (h *Handle) Flush(ctx context.Context) syscall.Errno {
	if h.uses == nil {
		return 0
	}
	if h.truncated.Load() && (!h.written.Load() || len(h.deferredLengths()) > 0) {
		if verdict, _ := h.uses.Flushed(caller.Thread(ctx)); verdict == flush.Spoil {
			h.set.undoTruncate(h.PDF)
			h.dropDeferred()
		}
		h.answered.Store(h.gen.Load()) // this close sends nothing, and no other has to wait for one that does
		return 0
	}
	if h.set.closeOfTemp(h, caller.Thread(ctx)) {
		return 0
	}
	gen := h.gen.Load()
	if lacks := h.writeErr.Load(); lacks != nil {
		h.uses.FlushedClean(caller.Thread(ctx))
		if h.unsent() {
			h.draft.Spoil(*lacks)
		}
		return h.fail("process", *lacks)
	}
	if !h.written.Load() || h.removed.Load() || h.draft.Sent(gen) {
		h.uses.FlushedClean(caller.Thread(ctx))
		return 0
	}
	judge := h.uses.LastFlushed
	if h.set.openElsewhere(h) {
		judge = h.uses.Flushed // what a program has open may be the other, as a lock
	}
	verdict, spoiled := judge(caller.Thread(ctx))
	if verdict == flush.Leave {
		return 0
	}
	h.answered.Store(gen)
	if verdict == flush.Spoil {
		h.draft.Spoil(spoiled)
		return h.fail("process", spoiled)
	}
	if h.set.anotherWillSend(h) {
		return 0
	}
	if h.set.Media.WriteBack() {
		return h.fail("process", h.queue())
	}
	if h.draft.Queued() { // by a mount with --write-back, before this one: what is sent now replaces that
		h.draft.Unqueue()
	}
	err := virtual.Change(ctx, h.send, func(err error) { h.tell("process", err) })
	return h.tell("process", err)
}

// Fsync makes what was written durable on this machine; only a close sends.
func (h *Handle) Fsync(context.Context, uint32) syscall.Errno {
	return h.fail("fsync", h.draft.Fsync())
}
