package draft

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// Draft is a paper's PDF that is being written. Its methods may be called at the same time. It ends with Close.
type Draft struct {
	set *Set
	record
	size atomic.Int64 // bytes; told without waiting

	sending lock.Mutex[lock.Sending] // held by a Send, so there is one at a time

	mu    lock.Mutex[lock.Draft] // guards the content, and is taken under sending; nobody waits for the service who holds it
	spool *spool.File            // nil until the first change; a Send has it frozen: what is written in that time goes to a copy
	// pending is what a close has queued, frozen, nil for nothing; the spool itself while nobody has written since.
	pending *spool.File
	ended   bool // Close was called
	older   bool // failed/ has newer content for the same path

	known lock.Mutex[lock.Known] // guards the rest, and is taken under mu; nobody waits who holds it
	gen   uint64                 // raised by each write, under mu
	sent  uint64                 // the generation that was sent
	// queued is the generation that a close has queued, 0 for none.
	queued    uint64
	publisher Publisher       // of what is queued
	canceller *tree.Canceller // of the request that sends what is queued, nil: none does
	out       bool            // the service may have something that was queued, and no answer has told (seen.go)
	sum       string          // SHA-256 of what was sent
	fail      error           // of the last write or Send that failed, nil after a success
	// failedAt is the generation that could not be sent: what is written after
	// it is tried again. 0 where a write failed: that nothing mends.
	failedAt uint64
}

// Ino is a number that no other draft has, and no node of the store.
func (d *Draft) Ino() inode.Ino { return d.ino }

// Path is where the draft is meant to go, from the mount's root.
func (d *Draft) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.path
}

// Since returns when the content was first written here; the zero time if there is no
// content, or if the disk keeps no such time.
func (d *Draft) Since() time.Time { return d.set.o.Spools.Born(d.ino)[d.ino] }

// Again has what could not be sent tried again by the next Send.
func (d *Draft) Again() {
	d.known.Lock()
	defer d.known.Unlock()
	if d.failedAt != 0 {
		d.fail, d.failedAt = nil, 0
	}
}

// record tells the next mount what a draft is, should this one be killed. A row
// whose content is not in the spool means nothing, unless that is queued: then it was lost.
type record struct {
	ino   inode.Ino // a number of its own: its files in the spool have it in their names
	paper int64
	path  string // where it is meant to go, from the root of the mount, with a slash before it

	spool   uint64    // serial of the content that a close has queued, 0: nothing is
	size    int64     // of that, 0 where an earlier version has not kept it
	kept    string    // of that, as of a spool.File
	dir     int64     // the category of a PDF beside a paper that is queued, 0: it is source.pdf
	written time.Time // what is queued
	again   bool      // what is queued may equal what was sent before it
	isNew   bool      // there was no paper of its name when it was written: one that others make is not replaced
	making  bool      // an attempt may have made the paper
	seen    string    // what the paper was known to have when it was queued (Queuing)
}

// Set is all drafts of a mount. Its methods may be called at the same time.
type Set struct {
	o Options
	// Outbox is those that are queued.
	Outbox   *outbox.Outbox[*Draft]
	requeued []Queued // of an earlier run

	mu       lock.Mutex[lock.Drafts]
	written  map[*Draft]bool // guarded by mu: those with content that have not ended
	released int             // guarded by mu: those whose last release came and which are not put where they belong
}

func (s *Set) begins(d *Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written[d] = true
}

func (s *Set) ends(d *Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.written, d)
}

// countReleased counts a draft in, or by -1 out.
func (s *Set) countReleased(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released += by
}

// withContent are the drafts with content that have not ended, in no order.
func (s *Set) withContent() []*Draft {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.written))
}

// Publisher sends what a draft has queued. It is called without locks.
type Publisher interface {
	Publish(ctx context.Context) error // sends it, by Draft.Send
	Delayed(why error)                 // it could not be sent yet, as often as that happens; it is tried again
	// Published tells that nothing is queued any more: it was sent, or refused for good.
	Published(refused error)
}

// Queued is where a draft goes that an earlier run has queued.
type Queued struct {
	*Draft
	Paper   int64 // 0: it may have to be made
	Dir     int64 // the category of a PDF beside a paper, 0: it is source.pdf
	Path    string
	Written time.Time
	New     bool // there was no paper of its name
	Making  bool // an attempt may have made it
}
