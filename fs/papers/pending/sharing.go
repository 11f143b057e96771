package pending

import (
	"slices"

	"paperfs/fs/papers/names"
)

// join has a handle share what somebody writes at a place, and reports whether that can
// still be shared.
func (s *Set) join(paper int64, at names.Entry, h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.PDF = s.newestLocked(paper, at, func(p *PDF) bool {
		return !p.ended && !p.removed.Load() && p.draft.Failure() == nil
	})
	if h.PDF == nil {
		return false
	}
	h.handles = append(h.handles, h)
	return true
}

// begin adds a new PDF at a place, and its first handle. The PDF begins with
// what a truncation left.
func (s *Set) begin(p *PDF, h *Handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.initial = s.truncations[p.paper.Load()]
	p.handles = append(p.handles, h)
	s.pdfs = append(s.pdfs, p)
}

// enters adds a handle to its PDF. It reports false where nobody can write to that any
// more.
func (s *Set) addHandle(h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.ended && h.uses != nil {
		return false
	}
	h.handles = append(h.handles, h)
	return true
}

// leave takes a handle away. It reports whether that was the last: then the caller ends
// the PDF.
func (s *Set) removeHandle(h *Handle) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(h.handles, h); i >= 0 {
		h.handles = slices.Delete(h.handles, i, i+1)
	}
	return h.endIfIdleLocked()
}

// settled is called when nothing of p is queued any more. It reports whether that ends it.
func (s *Set) endIfIdle(p *PDF) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.endIfIdleLocked()
}

// again reports whether h's file is open for writing by another handle, also by one of the file that had
// its name before: a descriptor of that, which a program may have inherited, looks the same.
func (s *Set) openElsewhere(h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.pdfs, func(p *PDF) bool {
		return slices.ContainsFunc(p.handles, func(another *Handle) bool {
			return another != h && another.uses != nil && another.by.StableAttr().Ino == h.by.StableAttr().Ino
		})
	})
}

// leaves reports whether another handle has written what h's close would send: then the close of
// that one sends it.
func (s *Set) anotherWillSend(h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(h.handles, func(another *Handle) bool { return another != h && another.unsent() })
}

// overwrites is called when h has cut the content to nothing: what other handles have
// written is lost, and none of their closes has to send it.
func (s *Set) discardOthers(h *Handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, another := range h.handles {
		if another != h {
			another.answered.Store(another.gen.Load())
		}
	}
}

// opened is the handle that a thread has opened last for writing at a place, nil for none.
func (s *Set) lastOpened(paper int64, at names.Entry, thread uint32) (last *Handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newestLocked(paper, at, func(p *PDF) bool {
		for _, h := range slices.Backward(p.handles) {
			if h.uses != nil && h.opener == thread {
				last = h
				return true
			}
		}
		return false
	})
	return last
}

// closesLocal notes a close of a PDF with a temporary name, and reports whether it has one. A rename
// that comes before the close leaves the sending to it; one that comes after it sends.
func (s *Set) closeOfTemp(h *Handle, thread uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.dest == nil {
		h.uses.FlushedClean(thread)
	}
	return h.dest == nil
}

// Held reports whether somebody can still write to p.
func (p *PDF) Held() bool {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.heldLocked()
}

// writers is the number of handles that can write to p; set.mu is held.
func (p *PDF) writers() (n int) {
	for _, h := range p.handles {
		if h.uses != nil {
			n++
		}
	}
	return n
}

// heldLocked is Held where set.mu is held.
func (p *PDF) heldLocked() bool {
	return slices.ContainsFunc(p.handles, func(h *Handle) bool { return h.uses != nil && h.uses.Held() })
}

// endsLocked ends p where nobody can write to it any more; handles that read
// go on with what was sent. What is queued, or has a temporary name, stays. What
// has no name stays until nobody can read it. set.mu is held.
func (p *PDF) endIfIdleLocked() bool {
	uses := p.writers()
	if p.dest == nil {
		uses = len(p.handles)
	}
	if p.ended || p.tempNamed || uses > 0 || p.draft.Queued() {
		return false
	}
	p.ended = true
	if !p.removed.Load() {
		p.set.truncateLocked(p.paper.Load(), p.deferred.lengths()...)
	}
	p.deferred = nil
	return true
}
