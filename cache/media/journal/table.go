package journal

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/lock"
)

// Table writes inodes and names to the database after the tree in memory has changed.
// Changes that come while a transaction runs are written by the next one
// together, so that many small changes cost few transactions. What was written
// outlives the process at once, and the machine's end a moment later, unless
// somebody waits for that.
type Table struct {
	state State
	fetch func() (changes Changes, upto uint64) // what has to be written; takes Store.mu
	sound *disk.Soundness                       // of the store's syncs
	after func(upto uint64)                     // told what is written

	Ballast *Ballast // makes room where the disk is full

	wake chan struct{} // something is to be written
	stop chan struct{}
	done chan struct{}

	unwritten Changes // what the last try could not write; only the writing goroutine uses it

	mu      lock.Mutex[lock.Table]
	changed *sync.Cond
	busy    bool   // guarded by mu: somebody writes
	syncing bool   // guarded by mu: somebody syncs
	written uint64 // guarded by mu: all changes up to this number outlive the process
	synced  uint64 // guarded by mu: and up to this one the machine's end
	tried   uint64 // guarded by mu: and a try was made up to this one
	err     error  // guarded by mu: how the last try failed
	ended   bool   // guarded by mu: nothing is written any more
}

func New(st State, fetch func() (Changes, uint64), sound *disk.Soundness, after func(uint64)) *Table {
	t := &Table{state: st, fetch: fetch, sound: sound, after: after, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	t.changed = sync.NewCond(&t.mu)
	return t
}

const (
	// lag is how long a change waits for others to be written with it, unless
	// somebody waits for it.
	lag = 20 * time.Millisecond
	// syncLag is how long what was written waits to be synced, likewise.
	syncLag = 100 * time.Millisecond
)

// Run writes what changes until close.
func (t *Table) Run() {
	defer close(t.done)
	var due <-chan time.Time // of a sync; nil: none
	for {
		select {
		case <-t.wake:
			select {
			case <-time.After(lag):
			case <-t.stop:
			}
			t.write()
			if due == nil {
				due = time.After(syncLag)
			}
		case <-due:
			due = nil
			_ = t.WaitSynced(t.reached()) // who waits for it is told
		case <-t.stop:
			t.write()
			_ = t.WaitSynced(t.reached())
			return
		}
	}
}

// Poke tells that there is something to write.
func (t *Table) Poke() { signal(t.wake) }

// signal leaves one token in c.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// reached is the number up to which changes are written.
func (t *Table) reached() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// WaitSynced returns when all changes up to number upto are durable.
func (t *Table) WaitSynced(upto uint64) error {
	if err := t.WaitWritten(upto); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.synced < upto {
		if t.syncing {
			t.changed.Wait()
		} else if err := t.syncLocked(); err != nil {
			return &Unsaved{ofMedia, err}
		}
	}
	return nil
}

// WaitWritten returns when all changes up to number upto outlive this process. The
// first who waits writes for all.
func (t *Table) WaitWritten(upto uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for waited := false; t.written < upto; waited = true {
		switch {
		case waited && t.tried >= upto && t.err != nil:
			return &Unsaved{ofMedia, t.err}
		case t.ended:
			return ErrClosed
		case t.busy:
			t.changed.Wait()
		default:
			t.writeLocked()
		}
	}
	return nil
}

// Close writes the rest and ends run.
func (t *Table) Close() error {
	close(t.stop)
	<-t.done
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.busy || t.syncing {
		t.changed.Wait()
	}
	t.ended = true
	t.changed.Broadcast()
	return errors.Join(t.err, t.sound.Failure())
}

// write writes what has changed.
func (t *Table) write() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.busy {
		t.changed.Wait()
	}
	t.writeLocked()
}

// writeLocked is write for who holds t.mu, while nobody writes. It lets go of
// t.mu while it writes.
func (t *Table) writeLocked() {
	t.busy = true
	t.mu.Unlock()
	changes, upto := t.fetch()
	t.unwritten.add(changes)
	err := t.save(t.unwritten)
	if err != nil && errors.Is(&Unsaved{ofMedia, err}, syscall.ENOSPC) && t.Ballast.Drop() {
		err = t.save(t.unwritten)
	}
	if err == nil {
		t.unwritten = Changes{}
		t.after(upto)
	}
	t.mu.Lock()
	t.busy, t.tried, t.err = false, upto, err
	if err == nil {
		t.written = upto
	}
	t.changed.Broadcast()
}

// syncLocked makes durable what was written before; t.mu must be held, and is let go
// while it waits. After a failure no wait succeeds any more.
func (t *Table) syncLocked() error {
	t.syncing = true
	upto := t.written
	t.mu.Unlock()
	err := t.sound.Sync(t.state.Sync)
	t.mu.Lock()
	t.syncing = false
	if err == nil {
		t.synced = max(t.synced, upto)
	}
	t.changed.Broadcast()
	return err
}

// save writes in one transaction.
func (t *Table) save(u Changes) (err error) {
	if len(u.Blocks)+len(u.Copies)+len(u.Notes) == 0 && u.TreeRead.IsZero() {
		return nil
	}
	crash.At("rows to be written")
	err = t.state.Unsynced(u.statements()...)
	crash.At("rows written")
	return err
}
