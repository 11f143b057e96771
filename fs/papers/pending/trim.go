package pending

// truncated notes a paper's new length. What is being written keeps its own.
func (s *Set) truncated(paper int64, size int64, p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p == nil || !p.written.Load() {
		s.cutLocked(paper, size)
	}
}

// restore undoes the truncation of a program that was killed before it wrote
// anything to p: the next writer begins with all of the PDF.
func (s *Set) restore(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paper := p.paper.Load()
	switch {
	case p.written.Load():
	case p.cut != nil:
		s.cuts[paper] = p.cut
	default:
		delete(s.cuts, paper)
	}
}

// wrote is called before a write to p. The first one takes what earlier truncations have left.
func (s *Set) wrote(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.written.Swap(true) {
		delete(s.cuts, p.paper.Load())
	}
}

// trimsLater keeps a new length of what is sent or queued until the next write. It reports false where
// something was written since.
func (p *PDF) trimsLater(size int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	switch {
	case !p.written.Load() || !p.draft.Sent(p.draft.Generation()):
		return false
	case p.ended:
		p.set.cutLocked(p.paper.Load(), size)
	default:
		p.trims = p.trims.to(size)
	}
	return true
}

// lengths are the ones that trimsLater keeps.
func (p *PDF) lengths() []int64 {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.trims.lengths()
}

// untrim forgets the lengths.
func (p *PDF) untrim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetLengths()
}

// forgetLengths is untrim where p.mu is held.
func (p *PDF) forgetLengths() {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	p.trims = nil
}

// trim applies the kept lengths before a write; h.PDF.mu is held.
func (h *Handle) trim() error {
	for _, size := range h.lengths() {
		if err := h.draft.Truncate(size); err != nil {
			return err
		}
		if size == 0 {
			h.set.overwrites(h)
		}
	}
	h.forgetLengths()
	return nil
}
