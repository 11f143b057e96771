package state

import (
	"cmp"
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Unsynced makes changes, all of them or none. When it returns they survive the end of
// this process, but a power cut only after Sync. A commit by any other way is durable at
// once, together with all earlier changes.
func (s *State) Unsynced(changes ...Statement) error {
	if err := s.Whole(); err != nil {
		return err
	}
	c, err := s.db.Conn(context.WithValue(context.Background(), ofUnsynced{}, true))
	if err != nil {
		return err
	}
	defer c.Close()
	return s.Judge(c.Raw(func(of any) error { return of.(*prepared).change(changes) }))
}

// Writable returns the error of Whole, or one that names a file of the database that nobody may write: it is immutable, or its file
// system read-only by now.
func (s *State) Writable() error {
	if err := s.Whole(); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		path := s.path() + suffix
		if err := unix.Access(path, unix.W_OK); err == unix.EPERM || err == unix.EROFS {
			return &os.PathError{Op: "write", Path: path, Err: err}
		}
	}
	return nil
}

// Sync makes the changes of Unsynced durable. It does not block transactions. Only if the log had
// to be opened, and could not be, it fails without having tried.
func (s *State) Sync() error {
	s.mu.Lock()
	err := s.undir
	s.mu.Unlock()
	if err != nil {
		return err
	}
	s.logMu.Lock()
	defer s.logMu.Unlock()
	if err := cmp.Or(s.Whole(), s.openLog()); err != nil || s.log == nil {
		return err
	}
	for {
		// Not fsync: the file's time does not matter.
		if err := unix.Fdatasync(int(s.log.Fd())); !errors.Is(err, unix.EINTR) {
			return s.Judge(err)
		}
	}
}

// openLog opens the write-ahead log unless it is open: SQLite creates a new log with a new
// connection. It stays open from the start, so that a sync needs no descriptor. SQLite has no locks
// on the log that closing it would release. Without a log, all changes are in the database, which
// was synced when they were moved there. s.logMu must be held.
func (s *State) openLog() error {
	found, err := os.Stat(s.path() + "-wal")
	if err == nil && s.log != nil {
		if open, err := s.log.Stat(); err == nil && os.SameFile(found, open) {
			return nil
		}
	}
	s.closeLog()
	if err == nil {
		s.log, err = os.Open(s.path() + "-wal")
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// closeLog closes the log if it is open; s.logMu must be held.
func (s *State) closeLog() {
	if s.log != nil {
		_ = s.log.Close() // it was only synced
		s.log = nil
	}
}
