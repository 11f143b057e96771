package state

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"paperfs/remote/dirlock"
)

// lockName is the file of an account's directory that its mount locks.
const lockName = "lock"

// Holder is the mount that has, or had last, an account. It is zero in the
// instant in which it has the lock and has not written its name yet.
type Holder struct {
	Mountpoint string
	PID        int
	Connection string // what NoteConnection was given, empty before that
}

// HeldError says that another mount holds the account's state.
type HeldError struct{ Holder }

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "this account is mounted already"
	}
	return fmt.Sprintf("this account is mounted already at %s (process %d)", e.Mountpoint, e.PID)
}

// takeLock locks path for this process and writes its number and the mount point into it.
func takeLock(path, mountpoint string) (*dirlock.Lock, error) {
	lock, err := dirlock.Take(path, Holder{PID: os.Getpid(), Mountpoint: mountpoint}.text())
	if held, ok := errors.AsType[*dirlock.HeldError](err); ok {
		return nil, &HeldError{parseHolder(held.Holder)}
	}
	return lock, err
}

// text has PID and connection in a line, and the mount point, which may have
// lines of its own.
func (h Holder) text() string { return fmt.Sprintf("%d %s\n%s", h.PID, h.Connection, h.Mountpoint) }

func parseHolder(text string) Holder {
	first, mountpoint, _ := strings.Cut(text, "\n")
	number, connection, _ := strings.Cut(first, " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return Holder{}
	}
	return Holder{mountpoint, pid, connection}
}
