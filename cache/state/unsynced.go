package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Writable returns the error of Whole, or one that names a file of the database that nobody may write: it is immutable, its file
// system read-only by now, or its directory closed. One whose mode alone forbids to write is written: it is open.
func (s *State) Writable() error {
	if err := s.Whole(); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		path := s.path() + suffix
		err := unix.Access(path, unix.W_OK)
		if err == unix.EACCES {
			err = unix.Access(path, unix.F_OK)
		}
		if err == unix.EPERM || err == unix.EROFS || err == unix.EACCES {
			return fmt.Errorf("%w: nothing is changed or sent until it can be written again", &os.PathError{Op: "write", Path: path, Err: err})
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

// openLog opens the write-ahead log unless it is open: SQLite removes the log with its last connection, and creates another
// with a new one. It stays open from the start, so that a sync needs no descriptor. SQLite has no locks
// on the log that closing it would release. Without a log, all changes are in the database, which
// was synced when they were moved there. s.logMu must be held.
func (s *State) openLog() error {
	if s.log != nil {
		var open unix.Stat_t
		if err := unix.Fstat(int(s.log.Fd()), &open); err == nil && open.Nlink > 0 {
			return nil
		}
	}
	s.closeLog()
	f, err := os.Open(s.path() + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	s.log = f
	return nil
}

// closeLog closes the log if it is open; s.logMu must be held.
func (s *State) closeLog() {
	if s.log != nil {
		_ = s.log.Close() // it was only synced
		s.log = nil
	}
}
