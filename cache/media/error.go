package media

import (
	"errors"
	"syscall"
)

var errClosed = errors.New("the mount has ended")

// unfinished is the reason of content that may be a part.
type unfinished struct{ error }

func (e unfinished) Unwrap() error { return e.error }

func isUnfinished(reason error) bool { return errors.As(reason, new(unfinished)) }

func lostWrites(path string) error {
	return &Error{Kind: Damaged, Name: path, Detail: "it was deleted at the service while it was being written here; what was written is kept among the failed"}
}

// unkept is the failure to keep the state.
type unkept struct {
	what string
	err  error
}

// ofMedia is what the table keeps.
const ofMedia = "the state of media/"

func (e *unkept) Error() string { return "keeping " + e.what + ": " + e.err.Error() }

// Unwrap gives ENOSPC, too, where the database has found no room.
func (e *unkept) Unwrap() []error {
	if code, ok := errors.AsType[interface {
		error
		Code() int
	}](e.err); ok && code.Code()&0xff == sqliteFull {
		return []error{e.err, syscall.ENOSPC}
	}
	return []error{e.err}
}

// sqliteFull is SQLite's code for a full disk.
const sqliteFull = 13
