package pending

import (
	"slices"

	"paperfs/fs/papers/names"
)

// markUnsure is called when a name of p was removed. If an attempt to send p had no
// answer, the paper may still receive p: then a change of its pages does not prove that
// others made it.
func (s *Set) markUnsure(p *PDF) {
	paper := p.Paper()
	if paper == 0 || !p.draft.About().MayBeThere {
		return
	}
	p.set.Documents.Drop(paper)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsure[paper] = true
}

// clearUnsure is called when the service has confirmed a newer PDF of a paper.
func (s *Set) clearUnsure(paper int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unsure, paper)
}

// isUnsure reports whether a removed PDF may still arrive in a paper.
func (s *Set) isUnsure(paper int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsure[paper]
}

// mayHaveSent reports whether the service may have a queued PDF of a place other than but.
// Then the pages may have changed although nobody else changed them.
func (s *Set) mayHaveSent(paper int64, at names.Entry, but *PDF) bool {
	var others []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		if p != but && p.matches(paper, at) && p.draft.Queued() {
			others = append(others, p)
		}
	}
	s.mu.Unlock()
	return slices.ContainsFunc(others, func(p *PDF) bool { return p.draft.About().MayBeThere })
}
