package pending

// A truncation alone sends nothing and shows nothing. While all that was written to a PDF was sent or
// queued, its length stays as it is, and the next program that writes begins with the truncated
// content. The PDF waits for that, even if nobody has it open.

// truncation is the effect of one or more truncations on content: its first bytes,
// followed by zeros. nil means no truncation.
type truncation struct{ shortest, last int64 } // the shortest length so far and the last one, in bytes

// then returns c followed by a truncation to size.
func (c *truncation) then(size int64) *truncation {
	if c == nil {
		return &truncation{size, size}
	}
	return &truncation{min(c.shortest, size), size}
}

// Truncate changes the length.
func (h *Handle) Truncate(thread uint32, size int64) error {
	if h.uses != nil {
		h.uses.Truncated(thread)
	}
	h.PDF.mu.Lock()
	defer h.PDF.mu.Unlock()
	before, deferred := h.deferTruncate(size)
	if !deferred {
		return h.file.Truncate(size)
	}
	h.set.mu.Lock()
	defer h.set.mu.Unlock()
	if !h.truncated {
		h.truncated, h.before = true, before
	}
	return nil
}

// Resize truncates the content, not through a handle.
func (p *PDF) Resize(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, deferred := p.deferTruncate(size); deferred {
		return nil
	}
	return p.draft.Truncate(size)
}

// deferTruncate records a new length until the next write, and returns what was recorded before. It
// returns false if something was written that was neither sent nor queued. The caller holds p.mu.
func (p *PDF) deferTruncate(size int64) (before *truncation, deferred bool) {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	if p.dest == nil || !p.draft.Settled() {
		return nil, false
	}
	before, p.trim = p.trim, p.trim.then(size)
	return before, true
}

// applyTrim truncates the content before a write. The caller holds h.PDF.mu.
func (h *Handle) applyTrim() error {
	trim := h.trimmed()
	if trim == nil {
		return nil
	}
	for _, size := range []int64{trim.shortest, trim.last} {
		if err := h.file.Truncate(size); err != nil {
			return err
		}
	}
	h.set.mu.Lock()
	defer h.set.mu.Unlock()
	h.trim = nil
	return nil
}

// trimmed returns what truncates the content at the next write.
func (p *PDF) trimmed() *truncation {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.trim
}

// onlyTruncated reports whether nothing was written since h has truncated the content.
func (h *Handle) onlyTruncated() bool {
	h.set.mu.Lock()
	defer h.set.mu.Unlock()
	return h.truncated && h.trim != nil
}

// undoTruncate reverts the truncation by a program that was killed, or whose write was refused: the
// next writer begins with what there was before.
func (h *Handle) undoTruncate() {
	h.set.mu.Lock()
	defer h.set.mu.Unlock()
	if h.truncated && h.trim != nil {
		h.trim, h.truncated = h.before, false
	}
}

// Truncate changes the length of a place's PDF through a handle. If h is nil, it uses the
// handle that the calling thread has opened: the kernel sends open(2) with O_TRUNC as
// OPEN, followed by a SETATTR with size 0 and without a handle.
func (s *Set) Truncate(o Opening, h *Handle, size int64) error {
	to := o.Place()
	if h == nil {
		h = s.lastOpened(to.Paper, to.At, o.Thread)
	}
	if h != nil {
		return h.Truncate(o.Thread, size)
	}
	p := s.find(to.Paper, to.At, (*PDF).joinable)
	switch {
	case p != nil:
	case to.Paper == 0:
		return nil
	default:
		p = s.begin(to, o, nil)
	}
	return p.Resize(size)
}

// read is a read of content that the next write truncates.
func (c *truncation) read(readAt func([]byte, int64) (int, error), dest []byte, off int64) (n int, err error) {
	dest = dest[:max(0, min(int64(len(dest)), c.last-off))]
	if kept := min(int64(len(dest)), c.shortest-off); kept > 0 {
		n, err = readAt(dest[:kept], off)
	}
	clear(dest[n:])
	return len(dest), err
}
