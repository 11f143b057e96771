package state

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

// takeLock locks path for this process and writes into it who holds it. The
// lock ends with the returned file, so also when the process dies; the file
// itself stays, since removing it would let two holders lock two files.
func takeLock(path, mountpoint string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = flock(f)
	if errors.Is(err, unix.EWOULDBLOCK) {
		defer f.Close()
		return nil, &HeldError{readHolder(f)}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	if err = f.Truncate(0); err == nil {
		err = writeHolder(f, Holder{PID: os.Getpid(), Mountpoint: mountpoint})
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return f, nil
}

// flock tries for a moment: LastAt looks with a lock of its own.
func flock(f *os.File) (err error) {
	for range 20 {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return err
}

// writeHolder writes PID and connection in a line, and the mount point, which
// may have lines of its own. One write: whoever reads meanwhile sees all of it
// or nothing.
func writeHolder(f *os.File, h Holder) error {
	_, err := f.WriteAt(fmt.Appendf(nil, "%d %s\n%s", h.PID, h.Connection, h.Mountpoint), 0)
	return err
}

func readHolder(f *os.File) Holder {
	content, err := io.ReadAll(f)
	if err != nil {
		return Holder{}
	}
	first, mountpoint, _ := strings.Cut(string(content), "\n")
	number, connection, _ := strings.Cut(first, " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return Holder{}
	}
	return Holder{mountpoint, pid, connection}
}

func dropLock(f *os.File) error {
	// The holder's name goes first: a stale one would be told to nobody, but
	// it would confuse whoever looks into the file. Closing alone does not end
	// the lock while a child that has not begun its program yet shares the file.
	return errors.Join(f.Truncate(0), unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
}
