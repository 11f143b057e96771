package journal

import (
	"database/sql"
	"errors"
	"syscall"

	"paperfs/cache/state"
)

// Unsaved reports that the state could not be written.
type Unsaved struct {
	What string
	Err  error
}

// ofMedia describes what the table writes.
const ofMedia = "the state of media/"

func (e *Unsaved) Error() string {
	if lost, ok := errors.AsType[*state.LostError](e.Err); ok {
		return lost.Error()
	}
	return "writing " + e.What + ": " + e.Err.Error()
}

// Unwrap also returns ENOSPC if the database found the disk full.
func (e *Unsaved) Unwrap() []error {
	if code, ok := errors.AsType[interface {
		error
		Code() int
	}](e.Err); ok && code.Code()&0xff == sqliteFull {
		return []error{e.Err, syscall.ENOSPC}
	}
	return []error{e.Err}
}

// sqliteFull is SQLITE_FULL.
const sqliteFull = 13

// ErrClosed is returned after the end of the mount.
var ErrClosed = errors.New("the mount has ended")

// State stores what must survive the mount.
type State interface {
	DB() *sql.DB
	Dir(name string) string      // for data that cannot be restored
	CacheDir(name string) string // for data that can be fetched again
	Value(key string) (string, bool, error)
	SetValue(key, value string) error
	// Unsynced executes the statements in one transaction, which survives a kill. After Sync it
	// also survives a power loss.
	Unsynced(...state.Statement) error
	Sync() error
	Writable() error // of Whole, or names a file that nobody may write
	// Whole fails from when a part of the state is not there any more, as Lose does for one that the caller misses, or its disk has
	// failed: nothing is committed then. Lost is Whole without a look.
	Whole() error
	Lost() error
	Lose(path string) error
	// Judge returns an error of a sync, as a *state.LostError if the disk failed.
	Judge(error) error
}
