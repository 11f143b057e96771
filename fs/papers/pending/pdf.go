package pending

import (
	"sync"
	"sync/atomic"
	"time"

	"paperfs/cache/media"
	"paperfs/fs/papers/names"
)

// PDF is content on its way to the service. Content with a temporary name is one, too: a rename may
// send it. All handles share it, by any name. It begins with the PDF
// that was sent from here, unless a program truncates that first.
type PDF struct {
	set         *Set
	draft       *media.Draft
	paper       atomic.Int64           // that it is for; 0: it is not made yet, or the name is temporary
	mtime       atomic.Int64           // of what was written, or as a program has set it; 0: nothing was
	written     atomic.Bool            // by a program; truncation alone sends nothing
	removed     atomic.Bool            // its name was removed: nothing is sent
	checkAfter  atomic.Int64           // after how many nanoseconds in the queue the next attempt looks at the paper first
	queuedAt    atomic.Int64           // it is queued; nanoseconds since 1970, 0 for what an earlier run has queued
	delayReason atomic.Pointer[string] // why it is delayed, as it was told last; nil: it was not
	unfilled    atomic.Bool            // the draft lacks the content that partial writes keep; cleared under mu

	mu      sync.Mutex  // orders what changes the draft
	initial *truncation // what truncations had left of that content before it was opened, nil: there was none; never changes

	// set.mu guards the rest.
	deferred  *truncation // what truncations leave of what is sent or queued once more is written, nil: all; changed under mu, too, until it has ended
	dest      *Place      // nil: it has a temporary name, and no close sends it
	handles   []*Handle
	tempNamed bool   // by a temporary name
	claimed   string // the name that a rename has begun, of set.Others
	ended     bool   // nobody can write to it any more
}

// place is where it is sent to, nil where it stays here.
func (p *PDF) place() *Place {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.dest
}

// shown reports whether it is what its name shows: something was written that is not sent, and
// nothing has gone wrong with it.
func (p *PDF) shown() bool {
	return p.written.Load() && !p.draft.Clean() && p.draft.Failure() == nil
}

// WrittenAt is the time at which it was written, zero where nothing was.
func (p *PDF) WrittenAt() time.Time {
	if set := p.mtime.Load(); set != 0 {
		return time.Unix(0, set)
	}
	return time.Time{}
}

// Since is when p was written first, or last where that is not known.
func (p *PDF) Since() time.Time {
	if since := p.draft.Since(); !since.IsZero() {
		return since
	}
	return p.WrittenAt()
}

// Size is the length in bytes.
func (p *PDF) Size() int64 { return p.draft.Size() }

// Ino is the number of the content on this machine.
func (p *PDF) Ino() uint64 { return uint64(p.draft.Ino()) }

// is reports whether p is of a paper, or of the name of one to be made, where there is no
// paper yet; s.mu is held.
func (p *PDF) matches(paper int64, at names.Entry) bool {
	mine := p.paper.Load()
	if paper == 0 && at != (names.Entry{}) {
		paper = p.set.Tree.PaperBeside(at) // it may have been made since its name was looked at
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
