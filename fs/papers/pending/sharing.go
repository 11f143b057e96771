package pending

import (
	"context"
	"slices"

	"paperfs/fs/papers/names"
)

// join lets a handle share a PDF that is being written at a place, and reports whether
// there is one.
func (s *Set) join(paper int64, at names.Entry, h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.newestLocked(paper, at, (*PDF).joinable)
	return p != nil && h.openLocked(p)
}

// joinable reports whether programs may write to p that do not have it open. The caller holds set.mu.
func (p *PDF) joinable() bool {
	return !p.ended && !p.removed.Load() && p.draft.Failure() == nil
}

// begin adds a new PDF at a place, and its first handle, if any. Unless its name is new, it begins with
// the PDF that was sent.
func (s *Set) begin(to *Place, o Opening, h *Handle) *PDF {
	p := &PDF{set: s, draft: s.Media.NewDraft(to.Paper, to.At.Dir, to.Path), dest: to}
	if sent, is, err := s.Documents.Source(to.Paper); !o.New && (is || err != nil) {
		if err != nil { // it cannot be read
			sent.Size = -1
		}
		p.draft.From(sent.SHA256, sent.Size, sent.Written)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pdfs = append(s.pdfs, p)
	if h != nil {
		h.openLocked(p)
	}
	return p
}

// openLocked makes h a handle of p. It returns false if h is for writing and p has ended, or if p is
// gone. The caller holds set.mu.
func (h *Handle) openLocked(p *PDF) bool {
	h.PDF = p
	if p.ended && h.uses != nil {
		return false
	}
	if h.file = p.draft.Open(); h.file != nil {
		p.handles = append(p.handles, h)
	}
	return h.file != nil
}

// open is openLocked for a caller that does not hold set.mu.
func (h *Handle) open(p *PDF) bool {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return h.openLocked(p)
}

// endIfIdle ends p if, after a change under set.mu, nobody can write to it any more.
func (p *PDF) endIfIdle(ctx context.Context, change func()) {
	p.set.mu.Lock()
	change()
	ends := !p.ended && p.idleLocked()
	p.ended = p.ended || ends
	p.set.mu.Unlock()
	if ends {
		p.end(ctx)
	}
}

// openElsewhere reports whether the same inode is open for writing through another handle,
// even one of a removed file that had the name before: a descriptor of that file, which a
// program may have inherited, looks the same.
func (s *Set) openElsewhere(h *Handle) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.pdfs, func(p *PDF) bool {
		return slices.ContainsFunc(p.handles, func(another *Handle) bool {
			return another != h && another.uses != nil && another.by.StableAttr().Ino == h.by.StableAttr().Ino
		})
	})
}

// anotherWillSend reports whether another handle has unsent writes: then the close of that
// handle sends what h's close would send.
func (s *Set) anotherWillSend(h *Handle) bool {
	s.mu.Lock()
	handles := slices.Clone(h.handles)
	s.mu.Unlock()
	return slices.ContainsFunc(handles, func(another *Handle) bool { return another != h && another.uses != nil && another.file.Owes() })
}

// lastOpened returns the handle that a thread opened last for writing at a place, or nil.
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

// closeOfTemp reports whether a closed PDF has a temporary name, and then records the
// close. A rename before the close leaves the sending to the close; a rename after it
// sends.
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

// writers returns the number of handles that can write to p. The caller holds set.mu.
func (p *PDF) writers() (n int) {
	for _, h := range p.handles {
		if h.uses != nil {
			n++
		}
	}
	return n
}

// heldLocked is Held for a caller that holds set.mu.
func (p *PDF) heldLocked() bool {
	return slices.ContainsFunc(p.handles, func(h *Handle) bool { return h.uses != nil && h.uses.Held() })
}

// idleLocked reports whether nobody can write to p any more; open read handles continue
// with the sent content. A PDF that is queued or has a temporary name stays, and so does one that the
// next writer finds truncated. A temporary file whose name was removed stays until its last handle is
// closed. The caller holds set.mu.
func (p *PDF) idleLocked() bool {
	uses := p.writers()
	if p.dest == nil {
		uses = len(p.handles)
	}
	waits := p.trim != nil && p.Paper() != 0 && p.joinable()
	return !p.tempNamed && uses == 0 && !waits && !p.draft.Queued()
}
