package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/shellword"
)

// DamagedError means that the database of an account cannot be read.
type DamagedError struct {
	Dir string
	Err error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged: %v. Run: %s", Database(e.Dir), e.Err, SetAside(e.Dir))
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Damage returns an error from an account's database, as a *DamagedError if the database
// is damaged.
func Damage(dir string, err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return &DamagedError{dir, err}
	}
	return err
}

// SetAside returns the command that sets a damaged database aside, and its consequences.
// The directory that it moves the file to belongs to no account, and the account loses
// nothing else.
func SetAside(dir string) string {
	to := filepath.Join(dir, "damaged")
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); err != nil {
			break
		}
		to = filepath.Join(dir, fmt.Sprintf("damaged-%d", n))
	}
	return fmt.Sprintf("mkdir %s && mv %s* %s/ (the next mount creates a new one, and puts what was not yet on the service into .paperfs/failed)",
		shellword.Quote(to), shellword.Quote(Database(dir)), shellword.Quote(to))
}
