package pending

import (
	"slices"
	"sync"
	"time"

	"paperfs/fs/papers/names"
)

// Set has the PDFs that are pending, and what truncations have left of
// PDFs. Truncation alone sends nothing and shows nothing; the
// next program that writes begins with what it left.
type Set struct {
	Options
	Others OtherNames

	mu          sync.Mutex
	pdfs        []*PDF                // guarded by mu; those that have the name of a PDF, in the order in which they got it
	truncations map[int64]*truncation // guarded by mu; by paper
	// making are the places whose paper is being made, or may have been made by an attempt
	// without an answer, with how many attempts. Guarded by mu.
	creating map[names.Entry]int
	created  map[int64]bool // guarded by mu; papers that this mount has made
	readers  map[*Sent]bool // guarded by mu; what is open
	unsure   map[int64]bool // guarded by mu; papers that may get a PDF that was queued and then removed here: their pages tell nothing of others
	// unlinked are the places whose PDF was removed while its paper may have been made: the name
	// is gone though there is the paper after all. Guarded by mu.
	unlinked map[names.Entry]bool
}

// NewSet returns an empty set.
func NewSet(o Options) *Set { return &Set{Options: o} }

// at is the newest PDF of a place for which ok holds, nil for none; s.mu is held.
func (s *Set) newestLocked(paper int64, at names.Entry, ok func(*PDF) bool) *PDF {
	for _, p := range slices.Backward(s.pdfs) {
		if p.matches(paper, at) && ok(p) {
			return p
		}
	}
	return nil
}

// find is at for what is not removed.
func (s *Set) find(paper int64, at names.Entry, ok func(*PDF) bool) *PDF {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newestLocked(paper, at, func(p *PDF) bool { return !p.removed.Load() && ok(p) })
}

// Has reports whether a PDF is pending beside a paper that is not made yet.
func (s *Set) Has(at names.Entry) bool {
	return s.find(0, at, func(*PDF) bool { return true }) != nil
}

// Shown is what is shown in place of the PDF that was sent, nil for nothing. Where there is no paper yet,
// it is whatever is pending.
func (s *Set) Shown(paper int64, at names.Entry) *PDF {
	return s.find(paper, at, func(p *PDF) bool { return paper == 0 || p.shown() })
}

// all are the PDFs of a paper.
func (s *Set) ofPaper(paper int64) (all []*PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pdfs {
		if p.paper.Load() == paper {
			all = append(all, p)
		}
	}
	return all
}

// add adds what an earlier run has queued.
func (s *Set) add(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pdfs = append(s.pdfs, p)
}

func (s *Set) remove(p *PDF) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pdfs = slices.DeleteFunc(s.pdfs, func(q *PDF) bool { return q == p })
}

// SetTime sets when the content was written that is not sent yet. It reports
// whether there is any.
func (s *Set) SetTime(paper int64, at names.Entry, mtime time.Time) (unsent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pdfs {
		if p.matches(paper, at) && p.written.Load() && !p.draft.Clean() {
			p.mtime.Store(mtime.UnixNano())
			_ = p.draft.SetWritten(mtime) // else the next mount has the time before
			unsent = true
		}
	}
	return unsent
}

// A program may truncate a PDF that is queued, or was sent. That alone sends nothing. The content stays
// as it is, and the next writer begins with what the truncation leaves of it. Where nobody can write to the
// PDF any more, the lengths are kept for the paper (Set.cuts).

// cutLocked keeps lengths for the next writer of a paper's PDF: the writer begins with the PDF cut
// to each of them. s.mu is held.
func (s *Set) truncateLocked(paper int64, sizes ...int64) {
	if paper == 0 {
		return
	}
	if s.truncations == nil {
		s.truncations = map[int64]*truncation{}
	}
	for _, size := range sizes {
		s.truncations[paper] = s.truncations[paper].then(size)
	}
}
