package journal

import (
	"cmp"
	"errors"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/lock"
	"paperfs/cache/notify"
)

// Table writes inodes and names to the database after the tree in memory has changed. Changes
// during a transaction are written together by the next one, so that many small changes need
// few transactions. Written changes survive a kill at once, and a power loss shortly
// afterwards, or sooner if a caller waits for that.
type Table struct {
	state State
	fetch func() (changes Changes, upto uint64) // returns what has to be written; takes Tree.Mu
	sound *disk.Soundness                       // of the store's syncs

	wake notify.Bell // signals that there is something to write
	stop chan struct{}
	done chan struct{}

	unwritten Changes // what the last attempt could not write; used only by the writing goroutine

	mu      lock.Mutex[lock.Table]
	changed *sync.Cond
	busy    bool   // guarded by mu: a write is in progress
	syncing bool   // guarded by mu: a sync is in progress
	written uint64 // guarded by mu: changes up to this number survive a kill
	synced  uint64 // guarded by mu: changes up to this number survive a power loss
	tried   uint64 // guarded by mu: an attempt covered changes up to this number
	err     error  // guarded by mu: error of the last attempt
	ended   bool   // guarded by mu: the table is closed

	ballast ballast // guarded by mu
}

func New(st State, fetch func() (Changes, uint64), sound *disk.Soundness) *Table {
	t := &Table{state: st, fetch: fetch, sound: sound, wake: notify.NewBell(), stop: make(chan struct{}), done: make(chan struct{})}
	t.changed = sync.NewCond(&t.mu)
	t.ballast.path = filepath.Join(st.Dir("media"), "ballast")
	return t
}

const (
	// lag is how long a change may wait to be written together with others, unless a caller
	// waits for it.
	lag = 20 * time.Millisecond
	// syncLag is the same for a written change and its sync.
	syncLag = 100 * time.Millisecond
)

// Run writes changes until Close.
func (t *Table) Run() {
	defer close(t.done)
	var due <-chan time.Time // when to sync; nil if nothing is due
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
			if t.WaitSynced(t.reached()) != nil && t.sound.Failure() == nil { // waiters get the error
				due = time.After(syncLag) // it was not tried
			}
		case <-t.stop:
			t.write()
			_ = t.WaitSynced(t.reached())
			return
		}
	}
}

// Wake says that there is something to write.
func (t *Table) Wake() { t.wake.Ring() }

// reached returns the number up to which changes are written.
func (t *Table) reached() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// WaitSynced returns when all changes up to number upto survive a power loss.
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

// Synced reports whether all changes up to number upto survive a power loss.
func (t *Table) Synced(upto uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.synced >= upto
}

// WaitWritten returns when all changes up to number upto survive a kill. The first waiter
// writes for all.
func (t *Table) WaitWritten(upto uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for waited := false; t.written < upto; waited = true {
		switch {
		case waited && t.tried >= upto && t.err != nil:
			return &Unsaved{ofMedia, cmp.Or(t.state.Writable(), t.err)} // SQLite's own words name no file
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

// Able fails if a change could not be stored: nobody may write the database, or the last write failed. So a caller that asks
// first sends nothing that cannot be noted. What was not written is tried again: all goes on once it can be. A failed sync
// stops no upload: what is in memory is safest at the service.
func (t *Table) Able() error {
	if err := t.state.Writable(); err != nil {
		return &Unsaved{ofMedia, err}
	}
	t.mu.Lock()
	tried := t.tried
	t.mu.Unlock()
	return t.WaitWritten(tried)
}

// Close writes pending changes and ends Run.
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

// writeLocked is write without the wait: t.mu must be held, and no write may be in progress. It
// unlocks t.mu while it writes.
func (t *Table) writeLocked() {
	t.busy = true
	t.mu.Unlock()
	changes, upto := t.fetch()
	t.unwritten.add(changes)
	err := t.save(t.unwritten)
	if err != nil && errors.Is(&Unsaved{ofMedia, err}, syscall.ENOSPC) && t.dropBallast() {
		err = t.save(t.unwritten)
	}
	if err == nil {
		t.unwritten = Changes{}
	}
	t.mu.Lock()
	t.busy, t.tried, t.err = false, upto, err
	if err == nil {
		t.written = upto
	}
	t.changed.Broadcast()
}

func (t *Table) dropBallast() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ballast.drop()
}

// syncLocked syncs what was written before; t.mu must be held, and is unlocked during the sync.
// After a failure, every later wait fails, too.
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

// save writes u in one transaction.
func (t *Table) save(u Changes) (err error) {
	if len(u.Blocks)+len(u.Copies)+len(u.Notes)+len(u.PDFs) == 0 && u.TreeRead.IsZero() {
		return nil
	}
	disk.CrashPoint("rows to be written")
	err = t.state.Unsynced(u.statements()...)
	disk.CrashPoint("rows written")
	return err
}
