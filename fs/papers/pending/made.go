package pending

import "paperfs/fs/papers/names"

// Makes is called before the paper beside a place is made. It reports whether an attempt of
// this mount may have made it before.
func (s *Set) Makes(at names.Entry) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.making == nil {
		s.making = map[names.Entry]int{}
	}
	s.making[at]++
	return s.making[at] > 1
}

// MayHave reports whether an attempt of this mount may have made the paper beside a place.
func (s *Set) MayHave(at names.Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.making[at] > 0
}

// Made is called after Makes where the outcome is known, with whether the paper is there. It
// reports whether no other attempt may have made the paper without an answer.
func (s *Set) Made(at names.Entry, is bool) (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.making[at]--; s.making[at] <= 0 || is {
		delete(s.making, at) // what there is, is known
	}
	return s.making[at] == 0
}

// Own notes that this mount has made a paper.
func (s *Set) Own(paper int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ours == nil {
		s.ours = map[int64]bool{}
	}
	s.ours[paper] = true
}

// MadeHere is called when a program has made a paper of some name in a category: a PDF that is
// pending beside it, and has no paper yet, is for that.
func (s *Set) MadeHere(dir int64, name string, paper int64) {
	s.Own(paper)
	var of []*PDF
	s.mu.Lock()
	for _, p := range s.open {
		if beside, _ := names.PaperOf(p.to.At.Name); p.to.At.Dir == dir && beside == name && p.paper.CompareAndSwap(0, paper) {
			of = append(of, p)
		}
	}
	s.mu.Unlock()
	for _, p := range of {
		_ = p.draft.For(paper, p.place().Path) // else after a kill it is asked whose paper this is
	}
}

// IsOurs reports whether this mount has made a paper.
func (s *Set) IsOurs(paper int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ours[paper]
}
