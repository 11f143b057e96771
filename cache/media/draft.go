package media

import (
	"sync/atomic"
	"time"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// Draft is content that is being written for something that lies outside the
// media store but shares its room, its failed content and its content cache: a
// paper's PDF. Its methods may be called at the same time. It ends with Close.
type Draft struct {
	store *Store
	draftRow
	size atomic.Int64 // bytes; told without waiting

	sending lock.Mutex[lock.Sending] // held by a Send, so there is one at a time

	mu    lock.Mutex[lock.Draft] // guards the content, and is taken under sending; nobody waits for the service who holds it
	spool *spool.File            // nil until the first change; a Send has it frozen: what is written meanwhile goes to a copy
	// closed is what a close has queued, frozen, nil for nothing; the spool itself while nobody has written since.
	closed *spool.File
	ended  bool // Close was called
	older  bool // failed/ has newer content for the same path

	known lock.Mutex[lock.Known] // guards the rest, and is taken under mu; nobody waits who holds it
	gen   uint64                 // raised by each write, under mu
	sent  uint64                 // the generation that was sent
	// queued is the generation that a close has queued, 0 for none.
	queued    uint64
	publisher Publisher       // of what is queued
	canceller *tree.Canceller // of the request that sends what is queued, nil: none does
	out       bool            // the service may have something that was queued, and no answer has told (draftseen.go)
	sum       string          // SHA-256 of what was sent
	fail      error           // of the last write or Send that failed, nil after a success
	// failedAt is the generation that could not be sent: what is written after
	// it is tried again. 0 where a write failed: that nothing mends.
	failedAt uint64
}

// NewDraft begins an empty draft of a paper's PDF, which is meant to go to path.
func (s *Store) NewDraft(paper int64, path string) *Draft {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastIno++
	return &Draft{store: s, draftRow: draftRow{ino: s.lastIno, paper: paper, path: path}}
}

// Ino is a number that no other draft has, and no node of the store.
func (d *Draft) Ino() Ino { return d.ino }

// Since returns when the content was first written here; the zero time if there is no
// content, or if the disk keeps no such time.
func (d *Draft) Since() time.Time { return d.store.spools.Born(d.ino)[d.ino] }

// For changes what the draft is meant for.
func (d *Draft) For(paper int64, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paper, d.path = paper, path
	if d.spool == nil {
		return nil
	}
	return d.store.noteDraft(d.draftRow)
}

// Again has what could not be sent tried again by the next Send.
func (d *Draft) Again() {
	d.known.Lock()
	defer d.known.Unlock()
	if d.failedAt != 0 {
		d.fail, d.failedAt = nil, 0
	}
}
