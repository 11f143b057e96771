package media

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// table writes inodes and names to the database behind the tree in memory.
// Changes that come while a transaction runs are written by the next one
// together, so that many small changes cost few syncs of the disk.
type table struct {
	db    *sql.DB
	fetch func() (rows []row, upto uint64) // what has to be written; takes Store.mu

	rest []row // what the last try could not write; used by run alone

	wake   chan struct{} // something is to be written
	urgent chan struct{} // and somebody waits for it
	stop   chan struct{}
	done   chan struct{}

	mu      sync.Mutex
	changed *sync.Cond
	written uint64 // guarded by mu: all changes up to this number are on disk
	tried   uint64 // guarded by mu: and a try was made up to this one
	err     error  // guarded by mu: how the last try failed
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
	id                  int64
	size, kb            int64
	sha256, url         string
	sentMtime           time.Time
	mode                uint32
	uid, gid            int64
	atime, mtime, ctime time.Time
	target              string
	also                []rowName // further names
}

// rowName is a name as it is kept.
type rowName struct {
	parent Ino
	name   string
}

func newTable(db *sql.DB, fetch func() ([]row, uint64)) *table {
	t := &table{db: db, fetch: fetch, wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	t.changed = sync.NewCond(&t.mu)
	return t
}

// lag is how long a change waits for others to be written with it, unless
// somebody waits for it.
const lag = 20 * time.Millisecond

// run writes what changes until close.
func (t *table) run() {
	defer close(t.done)
	for {
		select {
		case <-t.wake:
			select {
			case <-time.After(lag):
			case <-t.urgent:
			case <-t.stop:
			}
			t.write()
		case <-t.urgent:
			t.write()
		case <-t.stop:
			t.write()
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

// wait returns when all changes up to number upto are durable.
func (t *table) wait(upto uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.written < upto {
		signal(t.urgent)
	}
	for t.written < upto {
		switch {
		case t.tried >= upto && t.err != nil:
			return fmt.Errorf("keeping the state of media/: %w", t.err)
		case t.ended:
			return errClosed
		}
		t.changed.Wait()
	}
	return nil
}

// close writes the rest and ends run.
func (t *table) close() error {
	close(t.stop)
	<-t.done
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.changed.Broadcast()
	return t.err
}

func (t *table) write() {
	rows, upto := t.fetch()
	rows = latest(append(t.rest, rows...))
	err := t.save(rows)
	t.rest = nil
	if err != nil {
		t.rest = rows
	}
	t.mu.Lock()
	t.tried, t.err = upto, err
	if err == nil {
		t.written = upto
	}
	t.mu.Unlock()
	t.changed.Broadcast()
}

// latest keeps the last row of each inode.
func latest(rows []row) []row {
	last := make(map[Ino]int, len(rows))
	for i, r := range rows {
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

const upsertInode = `INSERT INTO media_inode
	(ino, kind, local, queued, service_id, size, size_kb, sha256, url, sent_mtime, mode, uid, gid, atime, mtime, ctime, target)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
	ON CONFLICT (ino) DO UPDATE SET local = excluded.local, queued = excluded.queued, service_id = excluded.service_id,
	size = excluded.size, size_kb = excluded.size_kb, sha256 = excluded.sha256, url = excluded.url, sent_mtime = excluded.sent_mtime,
	mode = excluded.mode, uid = excluded.uid, gid = excluded.gid, atime = excluded.atime, mtime = excluded.mtime,
	ctime = excluded.ctime, target = excluded.target`

func (t *table) save(rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	tx, err := t.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	unname, err := tx.Prepare("DELETE FROM media_name WHERE ino = ?")
	if err != nil {
		return err
	}
	forget, err := tx.Prepare("DELETE FROM media_inode WHERE ino = ?")
	if err != nil {
		return err
	}
	keep, err := tx.Prepare(upsertInode)
	if err != nil {
		return err
	}
	name, err := tx.Prepare("INSERT INTO media_name (parent, name, ino) VALUES (?,?,?)")
	if err != nil {
		return err
	}
	for _, r := range rows { // first of all, since a name may pass from one row to another
		if _, err := unname.Exec(r.ino); err != nil {
			return err
		}
	}
	for _, r := range rows {
		if r.gone {
			if _, err := forget.Exec(r.ino); err != nil {
				return err
			}
			continue
		}
		if _, err := keep.Exec(r.ino, r.kind, r.local, r.queued, r.id, r.size, r.kb, r.sha256, r.url, nano(r.sentMtime),
			r.mode, r.uid, r.gid, nano(r.atime), nano(r.mtime), nano(r.ctime), r.target); err != nil {
			return err
		}
		if r.ino == Root {
			continue
		}
		for _, n := range append(r.also, rowName{r.parent, r.name}) {
			if _, err := name.Exec(n.parent, n.name, r.ino); err != nil {
				return err
			}
		}
	}
	// A number whose inode came and went between two transactions is used, too.
	if _, err := tx.Exec("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'media_inode'", greatest(rows)); err != nil {
		return err
	}
	return tx.Commit()
}

func greatest(rows []row) (last Ino) {
	for _, r := range rows {
		last = max(last, r.ino)
	}
	return last
}

// load reads all rows, one a name, and the greatest number that was ever given.
func (t *table) load() (rows []row, last Ino, err error) {
	found, err := t.db.Query(`SELECT i.ino, coalesce(n.parent, 0), coalesce(n.name, ''), kind, local, queued, service_id, size, size_kb,
		sha256, url, sent_mtime, mode, uid, gid, atime, mtime, ctime, target
		FROM media_inode i LEFT JOIN media_name n ON n.ino = i.ino`)
	if err != nil {
		return nil, 0, err
	}
	defer found.Close()
	for found.Next() {
		var r row
		var sent, atime, mtime, ctime int64
		if err := found.Scan(&r.ino, &r.parent, &r.name, &r.kind, &r.local, &r.queued, &r.id, &r.size, &r.kb, &r.sha256, &r.url,
			&sent, &r.mode, &r.uid, &r.gid, &atime, &mtime, &ctime, &r.target); err != nil {
			return nil, 0, err
		}
		r.sentMtime, r.atime, r.mtime, r.ctime = fromNano(sent), fromNano(atime), fromNano(mtime), fromNano(ctime)
		rows = append(rows, r)
	}
	if err := found.Err(); err != nil {
		return nil, 0, err
	}
	err = t.db.QueryRow("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'media_inode'").Scan(&last)
	return rows, last, err
}

// nano is a time in the database; the zero time is 0.
func nano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNano(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
