package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite" // also registers the driver
	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/service/store"
)

// translate converts the driver's errors to those of package store.
func translate(err error) error {
	var failure *sqlite.Error
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return store.ErrNotFound
	case !errors.As(err, &failure):
		return err
	}
	if code := failure.Code(); code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY {
		return fmt.Errorf("%w: %w", store.ErrTaken, err)
	}
	return err
}

// Damaged reports whether an error means that the database file is damaged.
func Damaged(err error) bool { return code(err) == sqlite3.SQLITE_CORRUPT }

// meet notes an error that says that the database is damaged, and returns it. It explains one that
// says that the database is read-only.
func (s *Store) meet(err error) error {
	if primary := code(err); primary != sqlite3.SQLITE_CORRUPT && primary != sqlite3.SQLITE_NOTADB {
		return s.Note(unwritable(s.file, err))
	}
	return s.Meet(err)
}

// Damaged implements store.Store. A file that somebody has removed or replaced is as bad as a damaged one, until it is back:
// what SQLite writes to it is lost with it, and content goes elsewhere.
func (s *Store) Damaged() error {
	if err := s.Damage.Damaged(); err != nil {
		return err
	}
	if now, err := os.Stat(s.file); err != nil || !os.SameFile(now, s.opened) {
		return fmt.Errorf("%w: %s was removed or replaced while in use", store.ErrDamaged, s.file)
	}
	return nil
}

// change runs a change, unless the database is known to be damaged.
func (s *Store) change(ctx context.Context, f func(context.Context, *conn) error) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	err := s.changes.run(ctx, func(ctx context.Context, c *conn) error {
		if !s.began.Load() {
			if err := s.beginRun(ctx, c); err != nil {
				return err
			}
		}
		return f(ctx, c)
	})
	if err == nil {
		s.began.Store(true)
	}
	return s.meet(err)
}

// code returns the primary result code of an SQLite error, 0 for other errors.
func code(err error) int {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		return failure.Code() & 0xff
	}
	return 0
}
