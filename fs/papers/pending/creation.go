package pending

import "paperfs/fs/papers/names"

// BeginCreate is called before creating the paper beside a place. It reports whether an
// earlier attempt of this mount may have created it.
func (s *Set) BeginCreate(at names.Entry) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.creating[at]++
	return s.creating[at] > 1
}

// MayHaveCreated reports whether an attempt of this mount may have created the paper
// beside a place.
func (s *Set) MayHaveCreated(at names.Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.creating[at] > 0
}

// EndCreate is called after BeginCreate if the outcome is known; is says whether the paper
// exists. It reports whether no other attempt without an answer may have created it.
func (s *Set) EndCreate(at names.Entry, is bool) (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.creating[at]--; s.creating[at] <= 0 || is {
		delete(s.creating, at) // the paper is known
	}
	return s.creating[at] == 0
}

// MarkCreated records that this mount has created a paper.
func (s *Set) MarkCreated(paper int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created[paper] = true
}

// PaperCreated is called when a program has created a paper with a given name in a
// category: PDFs that are pending beside it and have no paper yet belong to it.
func (s *Set) PaperCreated(dir int64, name string, paper int64) {
	s.MarkCreated(paper)
	var of []*PDF
	s.mu.Lock()
	for _, p := range s.pdfs {
		if beside, _ := names.PaperOf(p.dest.At.Name); p.dest.At.Dir == dir && beside == name && p.Paper() == 0 {
			of = append(of, p)
		}
	}
	s.mu.Unlock()
	for _, p := range of {
		_ = p.draft.For(paper, dir, p.draft.About().Path) // on failure, the next mount checks again who created the paper
	}
}

// HasCreated reports whether this mount has created a paper.
func (s *Set) HasCreated(paper int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.created[paper]
}
