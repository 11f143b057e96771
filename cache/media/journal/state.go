package journal

import (
	"database/sql"
	"errors"
	"syscall"

	"paperfs/cache/state"
)

// Unsaved is the failure to keep the state.
type Unsaved struct {
	What string
	Err  error
}

// ofMedia is what the table keeps.
const ofMedia = "the state of media/"

func (e *Unsaved) Error() string { return "keeping " + e.What + ": " + e.Err.Error() }

// Unwrap gives ENOSPC, too, where the database has found no room.
func (e *Unsaved) Unwrap() []error {
	if code, ok := errors.AsType[interface {
		error
		Code() int
	}](e.Err); ok && code.Code()&0xff == sqliteFull {
		return []error{e.Err, syscall.ENOSPC}
	}
	return []error{e.Err}
}

// sqliteFull is SQLite's code for a full disk.
const sqliteFull = 13

// ErrClosed is the failure of what comes after the end of the mount.
var ErrClosed = errors.New("the mount has ended")

// State is where the store keeps what must outlast the mount.
type State interface {
	DB() *sql.DB
	Dir(name string) string      // for what would be lost for good
	CacheDir(name string) string // for what can be fetched again
	Value(key string) (string, bool, error)
	SetValue(key, value string) error
	// Unsynced makes changes, all or none, that outlive the process, and after Sync the
	// machine's end.
	Unsynced(...state.Statement) error
	Sync() error
}
