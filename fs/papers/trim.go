package papers

// A PDF that is queued, or was sent, and is truncated: that alone sends nothing, so the content stays
// as it is, and what that leaves of it waits for the next writer. Where nobody can write to it any more,
// it is the paper's (drafts.cuts).

// cut is what truncations leave of a content: its first bytes, and after them zeros. Nil: all of it.
type cut struct{ least, last int64 } // the least length, and the last, in bytes

// to is the cut with one more truncation.
func (c *cut) to(size int64) *cut {
	if c == nil {
		return &cut{size, size}
	}
	return &cut{min(c.least, size), size}
}

// lengths are those that make it, in turn.
func (c *cut) lengths() []int64 {
	if c == nil {
		return nil
	}
	return []int64{c.least, c.last}
}

// trimsLater keeps a new length of what is sent or queued until somebody writes. It reports whether
// it does, which is where nothing was written since.
func (p *pending) trimsLater(size int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drafts.mu.Lock()
	defer p.drafts.mu.Unlock()
	switch {
	case !p.written.Load() || !p.draft.Sent(p.draft.Generation()):
		return false
	case p.ended:
		p.drafts.cutLocked(p.paper.Load(), size)
	default:
		p.trims = p.trims.to(size)
	}
	return true
}

// lengths are those that trimsLater keeps.
func (p *pending) lengths() []int64 {
	p.drafts.mu.Lock()
	defer p.drafts.mu.Unlock()
	return p.trims.lengths()
}

// untrim forgets them.
func (p *pending) untrim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetLengths()
}

// forgetLengths is untrim where p.mu is held.
func (p *pending) forgetLengths() {
	p.drafts.mu.Lock()
	defer p.drafts.mu.Unlock()
	p.trims = nil
}

// trim gives what is written to now the lengths that it was truncated to; o.pending.mu is held.
func (o *opening) trim() error {
	for _, size := range o.lengths() {
		if err := o.draft.Truncate(size); err != nil {
			return err
		}
		if size == 0 {
			o.drafts.overwrites(o)
		}
	}
	o.forgetLengths()
	return nil
}
