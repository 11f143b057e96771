package pending

import "slices"

// noteTruncate records a paper's new length, unless p is being written, which has its own.
func (s *Set) noteTruncate(paper int64, size int64, p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p == nil || !p.written.Load() {
		s.truncateLocked(paper, size)
	}
}

// undoTruncate reverts the truncation by a program that was killed before it wrote
// anything to p: the next writer starts from the whole PDF.
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

// noteWrite is called before a write through h. The first write consumes the recorded
// truncations.
func (s *Set) noteWrite(h *Handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !h.written.Swap(true) {
		delete(s.truncations, h.paper.Load())
	}
	if h.file != nil && !slices.Contains(h.files, h.file) {
		h.files = append(h.files, h.file)
	}
}

// deferTruncate records a new length of sent or queued content until the next write. It
// returns false if something was written since.
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

// deferredLengths returns the lengths that deferTruncate has recorded.
func (p *PDF) deferredLengths() []int64 {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.deferred.lengths()
}

// dropDeferred forgets the recorded lengths.
func (p *PDF) dropDeferred() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropDeferredLocked()
}

// dropDeferredLocked is dropDeferred for a caller that holds p.mu.
func (p *PDF) dropDeferredLocked() {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	p.deferred = nil
}

// applyDeferred applies the recorded lengths before a write. The caller holds h.PDF.mu.
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
