package pending

// truncated notes a paper's new length. What is being written keeps its own.
func (s *Set) noteTruncate(paper int64, size int64, p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p == nil || !p.written.Load() {
		s.truncateLocked(paper, size)
	}
}

// restore undoes the truncation of a program that was killed before it wrote
// anything to p: the next writer begins with all of the PDF.
func (s *Set) undoTruncate(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paper := p.paper.Load()
	switch {
	case p.written.Load():
	case p.initial != nil:
		s.truncations[paper] = p.initial
	default:
		delete(s.truncations, paper)
	}
}

// wrote is called before a write to p. The first one takes what earlier truncations have left.
func (s *Set) noteWrite(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.written.Swap(true) {
		delete(s.truncations, p.paper.Load())
	}
}

// trimsLater keeps a new length of what is sent or queued until the next write. It reports false where
// something was written since.
func (p *PDF) deferTruncate(size int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	switch {
	case !p.written.Load() || !p.draft.Sent(p.draft.Generation()):
		return false
	case p.ended:
		p.set.truncateLocked(p.paper.Load(), size)
	default:
		p.deferred = p.deferred.then(size)
	}
	return true
}

// lengths are the ones that trimsLater keeps.
func (p *PDF) deferredLengths() []int64 {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.deferred.lengths()
}

// untrim forgets the lengths.
func (p *PDF) dropDeferred() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropDeferredLocked()
}

// forgetLengths is untrim where p.mu is held.
func (p *PDF) dropDeferredLocked() {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	p.deferred = nil
}

// trim applies the kept lengths before a write; h.PDF.mu is held.
func (h *Handle) applyDeferred() error {
	for _, size := range h.deferredLengths() {
		if err := h.draft.Truncate(size); err != nil {
			return err
		}
		if size == 0 {
			h.set.discardOthers(h)
		}
	}
	h.dropDeferredLocked()
	return nil
}
