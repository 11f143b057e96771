package sqlitestore

import (
	"database/sql"
	"errors"
	"fmt"

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
	switch code := failure.Code(); {
	case code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return fmt.Errorf("%w: %w", store.ErrTaken, err)
	case code&0xff == sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", store.ErrNoSpace, err)
	}
	return err
}

// Damaged reports whether an error means that the database file is damaged.
func Damaged(err error) bool { return code(err) == sqlite3.SQLITE_CORRUPT }

// code returns the primary result code of an SQLite error, 0 for other errors.
func code(err error) int {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		return failure.Code() & 0xff
	}
	return 0
}
