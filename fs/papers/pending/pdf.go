package pending

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/papers/names"
)

// PDF is content on its way to the service, including content with a temporary name, which
// a rename may send. All handles share it, under any name. It starts with the PDF that was
// sent from this machine.
type PDF struct {
	set         *Set
	draft       *media.Draft
	removed     atomic.Bool            // its name was removed: do not send it
	checkAfter  atomic.Int64           // nanoseconds in the queue after which the next attempt checks the paper's pages first
	queuedAt    atomic.Int64           // Unix nanoseconds when it was queued; 0 if an earlier run queued it
	delayReason atomic.Pointer[string] // the last reported reason of a delay; nil: none

	mu sync.Mutex // serializes writes and truncations

	// set.mu guards the rest.
	trim      *truncation // what the next write applies first; set only with mu held too
	dest      *Place      // nil: it has a temporary name, and no close sends it
	handles   []*Handle
	files     []*File // through which it was written
	tempNamed bool    // it has a temporary name
	claimed   string  // the name that a rename has claimed in set.Others
	ended     bool    // nobody can write to it any more
}

// Paper returns the paper that p is for; 0: not created yet.
func (p *PDF) Paper() int64 { return p.draft.About().Paper }

// place returns where p is sent, or nil if it has a temporary name.
func (p *PDF) place() *Place {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	return p.dest
}

// shown reports whether p is what its name shows: it has unsent content, which was not refused.
func (p *PDF) shown() bool {
	return !p.draft.Clean() && !p.draft.Refused()
}

// succeeds reports whether p was sent or queued, or will be.
func (p *PDF) succeeds() bool {
	return p.draft.Begun() && !p.removed.Load() && p.draft.Failure() == nil
}

// WrittenAt returns when p was written.
func (p *PDF) WrittenAt() time.Time { return p.draft.Written() }

// Since returns when p was first written or, if that is unknown, last written.
func (p *PDF) Since() time.Time { return cmp.Or(p.draft.Since(), p.WrittenAt()) }

// Size returns the length in bytes.
func (p *PDF) Size() int64 { return p.draft.Size() }

// Attr fills in the size and time of the content.
func (p *PDF) Attr(out *fuse.Attr) {
	mtime := p.WrittenAt()
	out.Size = uint64(p.Size())
	out.SetTimes(nil, &mtime, nil)
}

// Attr is PDF.Attr of what h would change. others says that only those that have the PDF open for
// writing see that.
func (h *Handle) Attr(out *fuse.Attr) (others bool) {
	h.PDF.Attr(out)
	trim := h.trimmed()
	if trim != nil && h.uses != nil {
		out.Size = uint64(trim.last)
	}
	return trim != nil || h.draft.Clean()
}

// Ino returns the number of the content on this machine.
func (p *PDF) Ino() uint64 { return uint64(p.draft.Ino()) }

// matches reports whether p belongs to the paper or, if there is no paper yet, to the name
// of the one to be created. The caller holds s.mu.
func (p *PDF) matches(paper int64, at names.Entry) bool {
	mine := p.Paper()
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
