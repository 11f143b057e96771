package media

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// table writes inodes and names to the database behind the tree in memory.
// Changes that come while a transaction runs are written by the next one
// together, so that many small changes cost few transactions. What was written
// outlives the process at once, and the machine's end a moment later, unless
// somebody waits for that.
type table struct {
	state State
	fetch func() (rows []row, upto uint64) // what has to be written; takes Store.mu

	wake chan struct{} // something is to be written
	stop chan struct{}
	done chan struct{}

	rest []row       // what the last try could not write; who writes has it
	sql  *statements // prepared at the first use; the same

	mu      sync.Mutex
	changed *sync.Cond
	busy    bool   // guarded by mu: somebody writes
	syncing bool   // guarded by mu: somebody syncs
	written uint64 // guarded by mu: all changes up to this number outlive the process
	synced  uint64 // guarded by mu: and up to this one the machine's end
	tried   uint64 // guarded by mu: and a try was made up to this one
	err     error  // guarded by mu: how the last try failed
	unsound error  // guarded by mu: a sync failed
	ended   bool   // guarded by mu: nothing is written any more
}

// row is one inode with its name, as it is to be kept. A row with gone set
// takes the inode out.
type row struct {
	gone   bool
	ino    Ino
	parent Ino
	name   string

	kind                FileKind
	local, queued       bool
	spool               uint64 // serial of a file's queued spool, 0 for the newest
	id                  int64
	size, kb            int64
	sha256, url         string
	sentMtime           time.Time
	mode                uint32
	uid, gid            int64
	atime, mtime, ctime time.Time
	target              string
	also                []rowName // further names
	copied              []byte    // content to be kept with it
	uncopy              bool      // an older copy goes
}

// rowName is a name as it is kept.
type rowName struct {
	parent Ino
	name   string
}

func newTable(st State, fetch func() ([]row, uint64)) *table {
	t := &table{state: st, fetch: fetch, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
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
		switch {
		case t.unsound != nil:
			return fmt.Errorf("keeping the state of media/: %w", t.unsound)
		case t.syncing:
			t.changed.Wait()
		default:
			t.sync()
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
			return fmt.Errorf("keeping the state of media/: %w", t.err)
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
	return errors.Join(t.err, t.unsound)
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
	rows, upto := t.fetch()
	rows = latest(append(t.rest, rows...))
	err := t.save(rows)
	t.rest = nil
	if err != nil {
		t.rest = rows
	}
	t.mu.Lock()
	t.busy, t.tried, t.err = false, upto, err
	if err == nil {
		t.written = upto
	}
	t.changed.Broadcast()
}

// sync makes durable what was written before; t.mu must be held, and is let go
// meanwhile. After a failure nobody knows what is on the disk, and another try
// would not tell: no wait succeeds any more.
func (t *table) sync() {
	t.syncing = true
	upto := t.written
	t.mu.Unlock()
	err := t.state.Sync()
	t.mu.Lock()
	t.syncing = false
	if err != nil {
		t.unsound = err
	} else {
		t.synced = max(t.synced, upto)
	}
	t.changed.Broadcast()
}

// inherit takes over what an older row would have done about the copy.
func (r *row) inherit(older row) {
	if r.copied == nil && !r.uncopy {
		r.copied = older.copied
	}
	r.uncopy = r.uncopy || older.uncopy
}

// latest keeps the last row of each inode.
func latest(rows []row) []row {
	last := make(map[Ino]int, len(rows))
	for i, r := range rows {
		if before, ok := last[r.ino]; ok {
			rows[i].inherit(rows[before])
		}
		last[r.ino] = i
	}
	kept := rows[:0]
	for i, r := range rows {
		if last[r.ino] == i {
			kept = append(kept, r)
		}
	}
	return kept
}
