package state

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// HeldError says that another mount holds the account's state. Mountpoint and
// PID are zero in the instant in which the holder has the lock and has not
// written its name yet.
type HeldError struct {
	Mountpoint string
	PID        int
}

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
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		held := readHolder(f)
		f.Close()
		return nil, held
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	// One write: whoever reads meanwhile sees all of it or nothing.
	holder := fmt.Sprintf("%d\n%s", os.Getpid(), mountpoint)
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(holder), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return f, nil
}

func readHolder(f *os.File) *HeldError {
	content, err := io.ReadAll(f)
	if err != nil {
		return &HeldError{}
	}
	first, mountpoint, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return &HeldError{}
	}
	return &HeldError{Mountpoint: mountpoint, PID: pid}
}

func dropLock(f *os.File) error {
	// The holder's name goes first: a stale one would be told to nobody, but
	// it would confuse whoever looks into the file. Closing alone does not end
	// the lock while a child that has not begun its program yet shares the file.
	return errors.Join(f.Truncate(0), unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
}
