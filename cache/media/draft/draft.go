package draft

import (
	"sync/atomic"
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/lock"
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

// For changes what the draft is meant for.
func (d *Draft) For(paper int64, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paper, d.path = paper, path
	if d.spool == nil {
		return nil
	}
	return d.set.note(d.record)
}

// Again has what could not be sent tried again by the next Send.
func (d *Draft) Again() {
	d.known.Lock()
	defer d.known.Unlock()
	if d.failedAt != 0 {
		d.fail, d.failedAt = nil, 0
	}
}
