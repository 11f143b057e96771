package pending

import (
	"slices"
	"sync"
	"time"

	"paperfs/fs/papers/names"
)

// Set holds the pending PDFs.
type Set struct {
	Options
	Others OtherNames
	began  time.Time

	mu   sync.Mutex
	pdfs []*PDF // guarded by mu; those with the name of a PDF, in the order in which they got it
	// creating counts, by place, the attempts to create a paper that are under way or have
	// had no answer. Guarded by mu.
	creating map[names.Entry]int
	created  map[int64]bool // guarded by mu; papers that this mount has created
	unsure   map[int64]bool // guarded by mu; papers that may receive a removed PDF: a change of their pages does not prove that others made it
	// unlinked are the places whose PDF was removed while its paper may have been created:
	// the name stays hidden if the paper turns out to exist. Guarded by mu.
	unlinked map[names.Entry]bool
}

// NewSet returns an empty set.
func NewSet(o Options) *Set {
	return &Set{Options: o, began: time.Now(), Others: OtherNames{of: map[int64]*otherName{}},
		creating: map[names.Entry]int{}, created: map[int64]bool{}, unsure: map[int64]bool{}, unlinked: map[names.Entry]bool{}}
}

// newestLocked returns the newest PDF of a place for which ok returns true, or nil. The
// caller holds s.mu.
func (s *Set) newestLocked(paper int64, at names.Entry, ok func(*PDF) bool) *PDF {
	for _, p := range slices.Backward(s.pdfs) {
		if p.matches(paper, at) && ok(p) {
			return p
		}
	}
	return nil
}

// find is newestLocked among the PDFs whose name was not removed.
func (s *Set) find(paper int64, at names.Entry, ok func(*PDF) bool) *PDF {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newestLocked(paper, at, func(p *PDF) bool { return !p.removed.Load() && ok(p) })
}

// Has reports whether a PDF is pending beside a paper that does not exist yet.
func (s *Set) Has(at names.Entry) bool {
	return s.find(0, at, func(p *PDF) bool { return p.trim == nil || len(p.handles) > 0 || !p.draft.Clean() }) != nil
}

// Shown returns the PDF that is shown instead of the sent one, or nil. If there is no
// paper yet, it is any pending one.
func (s *Set) Shown(paper int64, at names.Entry) *PDF {
	return s.find(paper, at, func(p *PDF) bool { return paper == 0 || p.shown() })
}

// add adds a PDF that an earlier run has queued.
func (s *Set) add(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pdfs = append(s.pdfs, p)
}

func (s *Set) remove(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.partLocked()
	s.pdfs = slices.DeleteFunc(s.pdfs, func(q *PDF) bool { return q == p })
}

// SetTime sets the modification time of unsent content, and reports whether there is any.
func (s *Set) SetTime(paper int64, at names.Entry, mtime time.Time) (unsent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pdfs {
		if p.matches(paper, at) && !p.draft.Clean() {
			_ = p.draft.SetWritten(mtime) // on failure, the next mount shows the old time
			unsent = true
		}
	}
	return unsent
}
