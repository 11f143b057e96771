package pending

import (
	"slices"

	"paperfs/fs/papers/names"
)

// setUnsure is called when p was removed here. If the service has not answered, the paper may yet get p:
// then what is known of the pages does not tell whether others have changed them.
func (s *Set) markUnsure(p *PDF) {
	paper := p.paper.Load()
	if paper == 0 || !p.draft.MayBeThere() {
		return
	}
	p.set.Documents.Drop(paper)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unsure == nil {
		s.unsure = map[int64]bool{}
	}
	s.unsure[paper] = true
}

// sure is called when the service has answered that it has a newer PDF of a paper.
func (s *Set) clearUnsure(paper int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unsure, paper)
}

// isUnsure reports whether a PDF that was removed here may yet come to a paper.
func (s *Set) isUnsure(paper int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsure[paper]
}

// mayHaveSent reports whether the service may have another PDF than but that is queued at a place. Then the pages
// that are known may not be those that are there, though nobody else has changed them.
func (s *Set) mayHaveSent(paper int64, at names.Entry, but *PDF) bool {
	var others []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		if p != but && p.matches(paper, at) && p.draft.Queued() {
			others = append(others, p)
		}
	}
	s.mu.Unlock()
	return slices.ContainsFunc(others, func(p *PDF) bool { return p.draft.MayBeThere() })
}
