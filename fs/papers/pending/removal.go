package pending

import (
	"context"

	"paperfs/fs/papers/names"
)

// unqueue takes PDFs out of the queue, and ends those that nobody has open.
func (s *Set) unqueue(pdfs []*PDF) {
	for _, p := range pdfs {
		if p.draft.Queued() {
			p.draft.Unqueue(p.removed.Load())
			s.markUnsure(p)
		}
		p.endIfIdle(context.Background(), func() {})
	}
}

// forsake is called when PDFs have lost their name: they are not sent.
func (s *Set) forsake(which func(*PDF) bool) {
	s.mu.Lock()
	gone := s.forsakeLocked(which)
	s.mu.Unlock()
	s.unqueue(gone)
}

// forsakeLocked is forsake for a caller that holds s.mu, and then calls unqueue.
func (s *Set) forsakeLocked(which func(*PDF) bool) (gone []*PDF) {
	for _, p := range s.pdfs {
		if which(p) {
			p.removed.Store(true)
			gone = append(gone, p)
		}
	}
	return gone
}

// Unlink is called when a program removes a name: the PDF written there is not sent, as
// with any removed file. A PDF written under the paper's other name keeps that name.
func (s *Set) Unlink(paper int64, at names.Entry) {
	s.mu.Lock()
	if paper == 0 && s.creating[at] > 0 {
		s.unlinked[at] = true
	}
	s.mu.Unlock()
	s.forsake(func(p *PDF) bool { return p.dest.At == at && p.matches(paper, at) && p.dest.Other == "" })
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
	var written []*PDF
	s.forsake(func(p *PDF) bool {
		if p.removed.Load() || !p.matches(paper, at) || !p.draft.Queued() {
			return false
		}
		if p.writers() > 0 {
			written = append(written, p)
		}
		return p.writers() == 0
	})
	s.unqueue(written)
}

// Deleted is called when this mount has deleted a paper: what is queued for it is not
// sent.
func (s *Set) Deleted(paper int64) {
	s.forsake(func(p *PDF) bool { return p.Paper() == paper && p.draft.Queued() })
}

// Replaced is called when by, or something else, was moved to a place: other PDFs written
// there are not sent, as after any rename.
func (s *Set) Replaced(paper int64, at names.Entry, by *PDF) {
	s.forsake(replacedBy(paper, at, by))
}

func replacedBy(paper int64, at names.Entry, by *PDF) func(*PDF) bool {
	return func(p *PDF) bool { return p != by && p.matches(paper, at) }
}

// letGo takes their names away from what was written to p and must not be sent. They show what is queued, or
// else what was sent. A temporary name has nothing else.
func (p *PDF) letGo(why error) {
	if p.place() == nil {
		return
	}
	queued, is := p.draft.LetGo(why)
	if !is {
		return
	}
	if queued != nil {
		heir := &PDF{set: p.set, draft: queued, dest: p.place()}
		heir.queuedAt.Store(p.queuedAt.Load())
		heir.checkAfter.Store(p.checkAfter.Load())
		p.set.add(heir)
		queued.PublishBy(heir)
		heir.endIfIdle(context.Background(), func() {}) // it may just have been sent
	}
	p.set.forsake(func(q *PDF) bool { return q == p })
}
