package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/remote/durable"
)

// lockName is the file in an account's directory that its mount locks.
const lockName = "lock"

// Holder is the mount that has an account, or had it last. It is zero for the instant
// between locking and writing the name.
type Holder struct {
	Mountpoint string
	PID        int
	Connection string // as set by NoteConnection, empty before that
}

// HeldError means that another mount has the account.
type HeldError struct{ Holder }

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "this account is mounted already"
	}
	return fmt.Sprintf("this account is mounted already at %s (process %d)", e.Mountpoint, e.PID)
}

// takeLock locks path for this process and writes the process number and mountpoint into
// it.
func takeLock(path, mountpoint string) (*durable.Lock, error) {
	lock, err := durable.TakeLock(path, Holder{PID: os.Getpid(), Mountpoint: mountpoint}.text())
	return lock, held(err)
}

// held returns a *HeldError for one of the lock, and any other error as it is.
func held(err error) error {
	if held, ok := errors.AsType[*durable.HeldError](err); ok {
		return &HeldError{parseHolder(held.Holder)}
	}
	return err
}

// retakeLock makes the account's directories again, and its lock, if the lock is lost. Until
// then another mount can take the account; the database is that mount's then.
func (s *State) retakeLock() (again bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.lock.Lost() {
		return false, nil
	}
	for _, name := range append([]string{""}, s.names...) {
		if err := durable.MakeDir(filepath.Join(s.dirs.State, name)); err != nil {
			return false, err
		}
	}
	err = held(s.lock.Retake())
	return err == nil, err
}

// text returns PID and connection in the first line, then the mountpoint, which may
// contain line ends.
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
