package pending

import (
	"context"

	"paperfs/fs/papers/names"
)

// unqueue takes PDFs that have lost their name out of the queue, and ends those that nobody has open.
func (s *Set) unqueue(gone []*PDF) {
	for _, p := range gone {
		if p.draft.Queued() {
			p.draft.DropContent()
			s.markUnsure(p)
		}
		if s.endIfIdle(p) {
			p.end(context.Background())
		}
	}
}

// Unlink is called when a program removes a name: the PDF written there is not sent, as
// with any removed file. A PDF written under the paper's other name keeps that name.
func (s *Set) Unlink(paper int64, at names.Entry) {
	var gone []*PDF
	s.mu.Lock()
	if paper == 0 && s.creating[at] > 0 {
		if s.unlinked == nil {
			s.unlinked = map[names.Entry]bool{}
		}
		s.unlinked[at] = true
	}
	for _, p := range s.pdfs {
		if p.dest.At == at && p.matches(paper, at) && p.dest.Other == "" {
			p.removed.Store(true)
			gone = append(gone, p)
		}
	}
	s.mu.Unlock()
	s.unqueue(gone)
}

// UnlinkedBefore reports, once, whether a place's PDF was removed before its paper was
// known.
func (s *Set) UnlinkedBefore(at names.Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	is := s.unlinked[at]
	delete(s.unlinked, at)
	return is
}

// Withdraw is called when a program has removed a name of a paper's PDF: no PDF that is
// queued for the paper, under any name, is sent. Handles that are open for writing stay
// valid.
func (s *Set) Withdraw(paper int64, at names.Entry) {
	var gone, written []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		switch {
		case p.removed.Load() || !p.matches(paper, at) || !p.draft.Queued():
		case p.writers() > 0:
			written = append(written, p)
		default:
			p.removed.Store(true)
			gone = append(gone, p)
		}
	}
	s.mu.Unlock()
	s.unqueue(gone)
	for _, p := range written {
		p.draft.Unqueue()
		s.markUnsure(p)
	}
}

// Deleted is called when this mount has deleted a paper: what is queued for it is not
// sent.
func (s *Set) Deleted(paper int64) {
	var gone []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		if p.Paper() == paper && p.draft.Queued() {
			p.removed.Store(true)
			gone = append(gone, p)
		}
	}
	s.mu.Unlock()
	s.unqueue(gone)
}

// Replaced is called when by, or something else, was moved to a place: other PDFs written
// there are not sent, as after any rename.
func (s *Set) Replaced(paper int64, at names.Entry, by *PDF) {
	s.mu.Lock()
	older := s.replaceLocked(paper, at, by)
	s.mu.Unlock()
	s.unqueue(older)
}

// replaceLocked marks the replaced PDFs as removed and returns them for unqueue. The caller holds
// s.mu.
func (s *Set) replaceLocked(paper int64, at names.Entry, by *PDF) (older []*PDF) {
	for _, p := range s.pdfs {
		if p != by && p.matches(paper, at) {
			p.removed.Store(true)
			older = append(older, p)
		}
	}
	return older
}
