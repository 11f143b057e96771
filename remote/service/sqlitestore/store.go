package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"

	"paperfs/remote/datasync"
	"paperfs/remote/schema"
	"paperfs/remote/service/store"
)

// Store is a store.Store. The zero value is not usable; see Open.
type Store struct {
	file           string // of the database
	writer, reader *sql.DB
	reading        pool
	changes        changes
	// ScanPages is how many pages below a node PagesContaining compares one
	// after the other before it asks the index. Open sets it.
	ScanPages atomic.Int64
	// Dropped is told of each content that a change has dropped, before Write
	// returns. It is nil where content stays, and is not to be set during a Write.
	Dropped func(key string)
	// Elsewhere says that contents are no files beside the database: the ledger has
	// them. It is to be set before the first Write.
	Elsewhere bool
}

var _ store.Store = (*Store)(nil)

// Open opens the database file, makes it where it is missing, and brings its
// schema up to date after a copy. Only the process that serves the data calls
// it; see OpenExisting.
func Open(ctx context.Context, file string) (*Store, error) {
	// SQLite creates its further files with the mode of this one.
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	// A connection of its own: the memory that it takes to build an index goes
	// when it is closed.
	db := open(file)
	if err := errors.Join(schema.Migrate(ctx, db, file, migrations()), db.Close()); err != nil {
		return nil, err
	}
	return connect(file), nil
}

// OpenExisting opens a database beside the process that serves it. It changes
// nothing before the first Read or Write, and never the schema: a database of
// another version is an error.
func OpenExisting(ctx context.Context, file string) (*Store, error) {
	p, err := Peek(ctx, file, "")
	if err == nil {
		err = checkVersion(file, p.Version)
	}
	if err != nil {
		return nil, err
	}
	return connect(file), nil
}

func connect(file string) *Store {
	// The journal of a savepoint is in memory: in a file, the journal of a change
	// of many pages would be written and read without end.
	s := &Store{file: file, writer: open(file, "temp_store(memory)", "cache_size(-8192)"), reader: open(file, "query_only(1)")}
	s.reading.db, s.reading.most = s.reader, 8
	s.changes.pool.db, s.changes.pool.most = s.writer, 1
	s.ScanPages.Store(scanPages)
	return s
}

func open(file string, pragmas ...string) *sql.DB {
	q := url.Values{"_txlock": {"immediate"}, "vfs": {datasync.VFS()}}
	// Only another process can hold the lock, such as an import of many papers:
	// a change then waits rather than fails. The limit of the wait comes first
	// because setting the journal mode may wait already. The last one is the size
	// that the log keeps on the disk after an import made it large.
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

// Close closes the database. All Reads and Writes have to be over.
func (s *Store) Close() error {
	return errors.Join(s.reading.close(), s.changes.pool.close())
}

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, f func(store.Reader) error) error {
	c, err := s.reading.take(ctx)
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer func() { s.reading.put(c, c.rollback()) }()
	if _, err := c.ExecContext(ctx, "BEGIN"); err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	return f(&tx{ctx: ctx, conn: c, scanPages: s.ScanPages.Load()})
}

// Ready implements store.Store. No Read waits for another one here.
func (s *Store) Ready(ctx context.Context) error {
	return s.Read(ctx, func(tx store.Reader) error {
		_, err := tx.ReadOnly()
		return err
	})
}

// ReadStill is Store.Read without a change of the database or of the files beside
// it. Another process may have the database open, or was killed with it open, or
// the disk is read-only. If the data changed under f, ReadStill calls f again, and
// f begins again.
func ReadStill(ctx context.Context, file string, f func(store.Reader) error) error {
	return readStill(ctx, file, func(db *sql.DB) error {
		s := Store{reading: pool{db: db}}
		s.ScanPages.Store(scanPages)
		return s.Read(ctx, f)
	})
}

// Write implements store.Store. All changes run one after another, whatever
// their tenants.
func (s *Store) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	var dropped []string
	err := s.changes.run(ctx, func(ctx context.Context, c *conn) error {
		t := &tx{ctx: ctx, conn: c, scanPages: s.ScanPages.Load(), tenantID: tenant, elsewhere: s.Elsewhere}
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
