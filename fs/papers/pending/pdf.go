package pending

import (
	"sync"
	"sync/atomic"
	"time"

	"paperfs/cache/media"
	"paperfs/fs/papers/names"
)

// PDF is content on its way to the service, including content with a temporary name, which
// a rename may send. All handles share it, under any name. It starts with the PDF that was
// sent from this machine, unless a program truncates that first.
type PDF struct {
	set         *Set
	draft       *media.Draft
	paper       atomic.Int64           // the paper it is for; 0: not created yet, or the name is temporary
	mtime       atomic.Int64           // when it was written, or as set by a program; 0: never
	written     atomic.Bool            // a program has written to it; a truncation alone sends nothing
	removed     atomic.Bool            // its name was removed: do not send it
	checkAfter  atomic.Int64           // nanoseconds in the queue after which the next attempt checks the paper's pages first
	queuedAt    atomic.Int64           // Unix nanoseconds when it was queued; 0 if an earlier run queued it
	delayReason atomic.Pointer[string] // the last reported reason of a delay; nil: none
	unfilled    atomic.Bool            // the draft lacks the content that partial writes preserve; cleared under mu

	mu      sync.Mutex  // serializes changes of the draft
	initial *truncation // truncations of that content before it was opened; never changes

	// set.mu guards the rest.
	deferred  *truncation // truncations of sent or queued content that the next write applies; until it has ended, changed only with mu held too
	dest      *Place      // nil: it has a temporary name, and no close sends it
	handles   []*Handle
	files     []*File // through which it was written
	tempNamed bool    // it has a temporary name
	claimed   string  // the name that a rename has claimed in set.Others
	ended     bool    // nobody can write to it any more
}

// place returns where p is sent, or nil if it has a temporary name.
func (p *PDF) place() *Place {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.dest
}

// shown reports whether p is what its name shows: it has unsent content and no failure.
func (p *PDF) shown() bool {
	return p.written.Load() && !p.draft.Clean() && p.draft.Failure() == nil
}

// WrittenAt returns when p was written, or the zero time.
func (p *PDF) WrittenAt() time.Time {
	if set := p.mtime.Load(); set != 0 {
		return time.Unix(0, set)
	}
	return time.Time{}
}

// Since returns when p was first written or, if that is unknown, last written.
func (p *PDF) Since() time.Time {
	if since := p.draft.Since(); !since.IsZero() {
		return since
	}
	return p.WrittenAt()
}

// Size returns the length in bytes.
func (p *PDF) Size() int64 { return p.draft.Size() }

// Ino returns the number of the content on this machine.
func (p *PDF) Ino() uint64 { return uint64(p.draft.Ino()) }

// matches reports whether p belongs to the paper or, if there is no paper yet, to the name
// of the one to be created. The caller holds s.mu.
func (p *PDF) matches(paper int64, at names.Entry) bool {
	mine := p.paper.Load()
	if paper == 0 && at != (names.Entry{}) {
		paper = p.set.Tree.PaperBeside(at) // it may have been created since the caller looked it up
	}
	if mine == 0 && p.dest.At != (names.Entry{}) {
		mine = p.set.Tree.PaperBeside(p.dest.At)
	}
	switch {
	case mine == paper && paper != 0:
		return true
	case at == (names.Entry{}) || p.dest.At != at:
		return false
	}
	return mine == 0 || paper == 0 && !p.set.Tree.Knows(mine)
}
