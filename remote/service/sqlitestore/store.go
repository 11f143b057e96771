package sqlitestore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

// Store is a store.Store. The zero value is not usable; see Open.
type Store struct {
	file           string      // path of the database
	opened         os.FileInfo // the file itself; see Damaged
	writer, reader *sql.DB
	run            string      // this process among those that write; see Epoch
	began          atomic.Bool // it has written
	reading        pool
	changes        changes
	// ScanPages is how many pages below a node PagesContaining compares directly; for more it
	// uses the index. Open sets it.
	ScanPages atomic.Int64
	// Dropped is called for each content that a change has dropped, before Write returns. If it
	// is nil, content stays. It must not be set during a Write.
	Dropped func(key string)
	// ExternalContent says that contents are not files next to the database, so the ledger tracks
	// them. It must be set before the first Write.
	ExternalContent bool

	store.Damage
}

var _ store.Store = (*Store)(nil)

// Open opens the database file, creating it if necessary. It brings the schema up to date after
// making a copy. Only the process that serves the data calls it; see OpenExisting.
func Open(ctx context.Context, file string) (*Store, error) {
	// SQLite creates its other files with the mode of this one.
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	// A separate connection: closing it frees the memory that building an index takes.
	db := open(file)
	if err := errors.Join(durable.Migrate(ctx, db, file, migrations()), db.Close()); err != nil {
		return nil, unwritable(file, err)
	}
	return connect(file), nil
}

// OpenExisting opens a database that another process may serve. It changes nothing before the
// first Read or Write, and never the schema: a database of another version is an error.
func OpenExisting(ctx context.Context, file string) (*Store, error) {
	p, err := Inspect(ctx, file, "")
	if err == nil {
		err = checkVersion(file, p.Version)
	}
	if err != nil {
		return nil, err
	}
	return connect(file), nil
}

func connect(file string) *Store {
	opened, _ := os.Stat(file) // a missing one is no other's same
	// Savepoint journals are in memory. In a file, the journal of a change of many pages would be
	// written and read over and over.
	s := &Store{file: file, opened: opened, run: rand.Text(), writer: open(file, "temp_store(memory)", "cache_size(-8192)"), reader: open(file, "query_only(1)")}
	s.reading, s.changes.pool = newPool(s.reader, store.Readers), newPool(s.writer, 1)
	s.ScanPages.Store(scanPages)
	return s
}

func open(file string, pragmas ...string) *sql.DB {
	q := url.Values{"_txlock": {"immediate"}, "vfs": {durable.VFS()}, "mode": {"rw"}} // makes no database
	// Only another process, such as an import of many papers, can hold the lock: a change then
	// waits instead of failing. The timeout comes first because setting the journal mode may
	// already wait. journal_size_limit is the size to which the log file shrinks again after a
	// large import.
	pragmas = append([]string{"busy_timeout(300000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "journal_size_limit(67108864)"}, pragmas...)
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	name := (&url.URL{Path: file}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+name+"?"+q.Encode())
	if err != nil {
		panic("sqlitestore: driver not registered: " + err.Error())
	}
	return db
}

// Close closes the database. All Reads and Writes must have returned.
func (s *Store) Close() error {
	return errors.Join(s.reading.close(), s.changes.pool.close())
}

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, f func(store.Reader) error) error {
	c, err := s.reading.take(ctx)
	if err != nil {
		return unwritable(s.file, fmt.Errorf("begin to read: %w", err))
	}
	defer func() { s.reading.put(c, c.rollback()) }()
	if _, err := c.ExecContext(ctx, "BEGIN"); err != nil {
		return s.meet(fmt.Errorf("begin to read: %w", err))
	}
	return s.meet(f(newTx(&tx{ctx: ctx, conn: c, scanPages: s.ScanPages.Load()})))
}

// Ready implements store.Store. Its connection is not of the pool.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	var open bool
	return s.meet(s.reader.QueryRowContext(ctx, `SELECT read_only FROM service`).Scan(&open))
}

// ReadPassive is Store.Read without changing the database or the files next to it. Another
// process may have the database open or may have been killed with it open, or the disk may be
// read-only. If the data changes while f runs, ReadPassive calls f again from the start.
func ReadPassive(ctx context.Context, file string, f func(store.Reader) error) error {
	return readPassive(ctx, file, func(db *sql.DB) error {
		s := Store{reading: newPool(db, 1)}
		s.ScanPages.Store(scanPages)
		return errors.Join(s.Read(ctx, f), s.reading.close())
	})
}

// Write implements store.Store. All changes run one after another, whatever their tenants.
func (s *Store) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	var dropped []string
	err := s.change(ctx, func(ctx context.Context, c *conn) error {
		t := newTx(&tx{ctx: ctx, conn: c, scanPages: s.ScanPages.Load(), tenantID: tenant, external: s.ExternalContent})
		defer func() { dropped = t.dropped }()
		if err := f(t); err != nil {
			return err
		}
		return translate(t.failed)
	})
	if err == nil && s.Dropped != nil {
		for _, key := range dropped {
			s.Dropped(key)
		}
	}
	return err
}
