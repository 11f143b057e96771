package state

import (
	"errors"
	"fmt"
	"os"
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
	if held, ok := errors.AsType[*durable.HeldError](err); ok {
		return nil, &HeldError{parseHolder(held.Holder)}
	}
	return lock, err
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
