package pending

import (
	"context"
	"syscall"
	"time"

	"paperfs/fs/caller"
	"paperfs/fs/papers/names"
	"paperfs/fs/request"
)

func (h *Handle) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	if h.uses == nil {
		return 0, syscall.EBADF
	}
	h.uses.Wrote(caller.Thread(ctx))
	n, err := h.write(data, request.WriteAt(off))
	return uint32(n), h.fail("write", err)
}

func (h *Handle) write(data []byte, how request.Write) (n int, err error) {
	p := h.PDF
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set.noteWrite(h)
	if err = p.fill(); err == nil {
		err = h.applyDeferred()
	}
	if err == nil {
		if how.Append {
			how.Offset = p.draft.Size()
		}
		p.mtime.Store(time.Now().UnixNano())
		n, err = p.draft.WriteAt(data, how.Offset)
		h.gen.Store(p.draft.Generation())
	}
	if err != nil {
		h.writeErr.Store(&err)
	}
	return n, err
}

// Truncate changes the length.
func (h *Handle) Truncate(thread uint32, size int64) error {
	if h.uses != nil {
		h.uses.Truncated(thread)
	}
	if h.deferTruncate(size) {
		h.truncated.Store(true)
		return nil
	}
	err := h.Resize(size)
	if err == nil && size == 0 {
		h.writeErr.Store(nil)
		h.set.discardOthers(h)
	}
	h.gen.Store(h.draft.Generation())
	return err
}

// Truncate changes the length of a place's PDF through a handle. If h is nil, it uses the
// handle that the calling thread has opened: the kernel sends open(2) with O_TRUNC as
// OPEN, followed by a SETATTR with size 0 and without a handle.
func (s *Set) Truncate(paper int64, at names.Entry, h *Handle, thread uint32, size int64) error {
	if h == nil {
		h = s.lastOpened(paper, at, thread)
	}
	var p *PDF
	if h != nil {
		p = h.PDF
	} else {
		p = s.find(paper, at, func(p *PDF) bool { return !p.ended && p.draft.Failure() == nil })
	}
	s.noteTruncate(paper, size, p)
	switch {
	case h != nil:
		h.truncated.Store(true)
		return h.Truncate(thread, size)
	case p != nil && !p.deferTruncate(size):
		return p.Resize(size)
	}
	return nil
}
