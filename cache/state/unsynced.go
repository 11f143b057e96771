package state

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Unsynced makes changes, all of them or none. When it returns they survive the end of
// this process, but a power cut only after Sync. A commit by any other way is durable at
// once, together with all earlier changes.
func (s *State) Unsynced(changes ...Statement) error {
	c, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(of any) error { return s.prepared.unsynced(of.(connection), changes) })
}

// Sync makes the changes of Unsynced durable. It does not block transactions.
func (s *State) Sync() error {
	s.mu.Lock()
	err := s.undir
	s.mu.Unlock()
	if err != nil {
		return err
	}
	// Open it by name each time: SQLite creates a new log with a new connection. SQLite has
	// no locks on the log that closing it would release.
	log, err := os.Open(s.path() + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil // all changes are in the database, which was synced when they were moved there
	}
	if err != nil {
		return err
	}
	defer log.Close()
	for {
		// Not fsync: the file's time does not matter.
		if err := unix.Fdatasync(int(log.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
