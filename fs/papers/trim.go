package papers

// A PDF that is queued, or was sent, and is truncated: that alone sends nothing, so the content stays
// as it is, and the new length waits for the next writer. Where nobody can write to it any more, the
// length is the paper's (drafts.cuts).

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
		p.trims = append(p.trims, size)
	}
	return true
}

// lengths are those that trimsLater keeps.
func (p *pending) lengths() []int64 {
	p.drafts.mu.Lock()
	defer p.drafts.mu.Unlock()
	return p.trims
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
