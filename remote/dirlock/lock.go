// Package dirlock takes a directory for one process at a time.
//
// A [Lock] is a file of the directory that the kernel locks, so that it ends
// with its process at the latest. The file stays, since removing it would let
// two holders lock two files. It tells who holds it, for messages only.
package dirlock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"paperfs/remote/shellword"
)

// Lock is a lock that this process holds.
type Lock struct{ f *os.File }

// HeldError is the failure to take a lock that another process holds. It is
// empty in the instant in which that has the lock and has not written yet.
type HeldError struct{ Holder string }

func (e *HeldError) Error() string { return "locked by " + e.Holder }

// mostHolder is how many bytes of a holder are read.
const mostHolder = 64 << 10

// Take locks a file, which it makes where it is missing, and writes into it who
// holds it.
func Take(file, holder string) (*Lock, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file. Run: mv %s %s", file, shellword.Quote(file), shellword.Quote(file+".old")), err, f.Close())
	}
	if err := flock(f); err != nil {
		defer f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &HeldError{read(f)}
		}
		return nil, fmt.Errorf("locking %s: %w", file, err)
	}
	l := &Lock{f}
	err = f.Truncate(0)
	if err == nil {
		err = l.SetHolder(holder)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("writing %s: %w", file, err), f.Close())
	}
	return l, nil
}

// flock tries for a moment: Held takes a lock of its own.
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

// SetHolder writes who holds the lock over what was there, which must not be
// longer. It is one write: a reader sees all of it or nothing.
func (l *Lock) SetHolder(holder string) error {
	_, err := l.f.WriteAt([]byte(holder), 0)
	return err
}

// Release ends the lock.
func (l *Lock) Release() error {
	// The holder goes first: nobody would be told a stale one, but it would
	// confuse people who look into the file. Closing alone does not end the lock
	// while a child that has not begun its program yet shares the file.
	return errors.Join(l.f.Truncate(0), unix.Flock(int(l.f.Fd()), unix.LOCK_UN), l.f.Close())
}

// open opens a lock to look at it. Whatever else has its name is none: a pipe would wait for
// its writer.
func open(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file", file), err, f.Close())
	}
	return f, nil
}

// Holder reads who holds a lock, or held it last and did not release it.
func Holder(file string) (string, error) {
	f, err := open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return read(f), nil
}

// Held reports whether a lock is held.
func Held(file string) bool {
	f, err := open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	// For an instant: Take tries longer than that.
	held := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
	if !held {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	}
	return held
}

func read(f *os.File) string {
	text, _ := io.ReadAll(io.LimitReader(f, mostHolder))
	return string(text)
}
