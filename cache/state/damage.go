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

// DamagedError says that the database of an account cannot be read.
type DamagedError struct {
	Dir string
	Err error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged: %v. Run: %s", Database(e.Dir), e.Err, SetAside(e.Dir))
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Damage is an error of an account's database, as a *DamagedError if the database is damaged.
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

// SetAside is the command that sets a damaged database aside, and what follows from it. Where it
// lies then it is no account's, and nothing else of the account is lost.
func SetAside(dir string) string {
	to := filepath.Join(dir, "damaged")
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); err != nil {
			break
		}
		to = filepath.Join(dir, fmt.Sprintf("damaged-%d", n))
	}
	return fmt.Sprintf("mkdir %s && mv %s* %s/ (the next mount begins a new one, and what was not at the service yet is in .paperfs/failed then)",
		shellword.Quote(to), shellword.Quote(Database(dir)), shellword.Quote(to))
}
