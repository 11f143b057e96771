package media

import (
	"database/sql"
	"errors"
	"sync"
	"syscall"
	"time"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/lock"
)

// table writes inodes and names to the database behind the tree in memory.
// Changes that come while a transaction runs are written by the next one
// together, so that many small changes cost few transactions. What was written
// outlives the process at once, and the machine's end a moment later, unless
// somebody waits for that.
type table struct {
	state State
	fetch func() (changes unsaved, upto uint64) // what has to be written; takes Store.mu
	sound *disk.Soundness                       // of the store's syncs
	after func(upto uint64)                     // told what is written

	ballast *ballast // makes room where the disk is full

	wake chan struct{} // something is to be written
	stop chan struct{}
	done chan struct{}

	rest unsaved     // what the last try could not write; who writes has it
	sql  *statements // prepared at the first use; the same

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

func newTable(st State, fetch func() (unsaved, uint64), sound *disk.Soundness, after func(uint64)) *table {
	t := &table{state: st, fetch: fetch, sound: sound, after: after, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
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

// run writes what changes until close.
func (t *table) run() {
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
			_ = t.wait(t.reached()) // who waits for it is told
		case <-t.stop:
			t.write()
			_ = t.wait(t.reached())
			return
		}
	}
}

// poke tells that there is something to write.
func (t *table) poke() { signal(t.wake) }

// signal leaves one token in c.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// reached is the number up to which changes are written.
func (t *table) reached() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// wait returns when all changes up to number upto are durable.
func (t *table) wait(upto uint64) error {
	if err := t.kept(upto); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.synced < upto {
		if t.syncing {
			t.changed.Wait()
		} else if err := t.sync(); err != nil {
			return &unkept{ofMedia, err}
		}
	}
	return nil
}

// kept returns when all changes up to number upto outlive this process. The
// first who waits writes for all.
func (t *table) kept(upto uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for waited := false; t.written < upto; waited = true {
		switch {
		case waited && t.tried >= upto && t.err != nil:
			return &unkept{ofMedia, t.err}
		case t.ended:
			return errClosed
		case t.busy:
			t.changed.Wait()
		default:
			t.writeHere()
		}
	}
	return nil
}

// close writes the rest and ends run.
func (t *table) close() error {
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
func (t *table) write() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.busy {
		t.changed.Wait()
	}
	t.writeHere()
}

// writeHere is write for who holds t.mu, while nobody writes. It lets go of
// t.mu meanwhile.
func (t *table) writeHere() {
	t.busy = true
	t.mu.Unlock()
	changes, upto := t.fetch()
	t.rest.add(changes)
	err := t.save(t.rest)
	if err != nil && errors.Is(&unkept{ofMedia, err}, syscall.ENOSPC) && t.ballast.drop() {
		err = t.save(t.rest)
	}
	if err == nil {
		t.rest = unsaved{}
		t.after(upto)
	}
	t.mu.Lock()
	t.busy, t.tried, t.err = false, upto, err
	if err == nil {
		t.written = upto
	}
	t.changed.Broadcast()
}

// sync makes durable what was written before; t.mu must be held, and is let go
// meanwhile. After a failure no wait succeeds any more.
func (t *table) sync() error {
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
func (t *table) save(u unsaved) (err error) {
	if len(u.blocks)+len(u.copies)+len(u.notes) == 0 && u.treeRead.IsZero() {
		return nil
	}
	if t.sql == nil {
		if t.sql, err = prepare(t.state.DB()); err != nil {
			return err
		}
	}
	err = t.state.Unsynced(func(tx *sql.Tx) error {
		defer crash.At("rows to be written")
		return t.sql.in(tx).save(u)
	})
	crash.At("rows written")
	return err
}
