package pending

import "paperfs/fs/papers/names"

// Makes is called before the paper beside a place is made. It reports whether an attempt of
// this mount may have made it before.
func (s *Set) BeginCreate(at names.Entry) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.creating == nil {
		s.creating = map[names.Entry]int{}
	}
	s.creating[at]++
	return s.creating[at] > 1
}

// MayHave reports whether an attempt of this mount may have made the paper beside a place.
func (s *Set) MayHaveCreated(at names.Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.creating[at] > 0
}

// Made is called after Makes where the outcome is known, with whether the paper is there. It
// reports whether no other attempt may have made the paper without an answer.
func (s *Set) EndCreate(at names.Entry, is bool) (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.creating[at]--; s.creating[at] <= 0 || is {
		delete(s.creating, at) // what there is, is known
	}
	return s.creating[at] == 0
}

// Own notes that this mount has made a paper.
func (s *Set) MarkCreated(paper int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.created == nil {
		s.created = map[int64]bool{}
	}
	s.created[paper] = true
}

// MadeHere is called when a program has made a paper of some name in a category: a PDF that is
// pending beside it, and has no paper yet, is for that.
func (s *Set) PaperCreated(dir int64, name string, paper int64) {
	s.MarkCreated(paper)
	var of []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		if beside, _ := names.PaperOf(p.dest.At.Name); p.dest.At.Dir == dir && beside == name && p.paper.CompareAndSwap(0, paper) {
			of = append(of, p)
		}
	}
	s.mu.Unlock()
	for _, p := range of {
		_ = p.draft.For(paper, p.place().Path) // else after a kill it is asked whose paper this is
	}
}

// IsOurs reports whether this mount has made a paper.
func (s *Set) HasCreated(paper int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.created[paper]
}
