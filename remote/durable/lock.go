package durable

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

// HeldError is the failure to take a lock that another process holds. It is empty in the
// moment between locking the file and writing the holder.
type HeldError struct{ Holder string }

func (e *HeldError) Error() string { return "locked by " + e.Holder }

// mostHolder is the most bytes of a holder.
const mostHolder = 64 << 10

// TakeLock locks a file, which it creates if missing, and writes the holder into it.
func TakeLock(file, holder string) (*Lock, error) {
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

// flock retries for a moment, because LockHeld also takes the lock for a moment.
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

// SetHolder overwrites the holder. The old one must not be longer. It is one write: a
// reader sees all of it or nothing.
func (l *Lock) SetHolder(holder string) error {
	_, err := l.f.WriteAt([]byte(holder), 0)
	return err
}

// Release ends the lock.
func (l *Lock) Release() error {
	// Remove the holder first: no message would name a stale one, but it would confuse
	// people who read the file. Closing alone does not end the lock while a child process
	// that has not called exec yet shares the file.
	return errors.Join(l.f.Truncate(0), unix.Flock(int(l.f.Fd()), unix.LOCK_UN), l.f.Close())
}

// openLock opens a lock for reading. It refuses anything but a regular file: opening a pipe
// would wait for its writer.
func openLock(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file", file), err, f.Close())
	}
	return f, nil
}

// LockHolder reads the holder of a lock, or the last holder that did not release it.
func LockHolder(file string) (string, error) {
	f, err := openLock(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return read(f), nil
}

// LockHeld reports whether a lock is held.
func LockHeld(file string) bool {
	f, err := openLock(file)
	if err != nil {
		return false
	}
	defer f.Close()
	// LockHeld takes the lock for a moment only; TakeLock retries for longer.
	held := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
	if !held {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	}
	return held
}

func read(f *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, mostHolder))
	return string(text)
}
