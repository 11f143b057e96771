package state

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Unsynced makes changes, all of them or none. They are kept when it returns, however
// this process ends; what the machine's own end leaves of them is certain only
// after Sync. Whatever is committed by other ways is durable at once, and all
// before it.
func (s *State) Unsynced(changes ...Statement) error {
	c, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(of any) error { return s.prepared.unsynced(of.(connection), changes) })
}

// Sync makes durable what Unsynced has kept. It holds up no transaction.
func (s *State) Sync() error {
	s.mu.Lock()
	err := s.undir
	s.mu.Unlock()
	if err != nil {
		return err
	}
	// By its name each time: SQLite makes a new log with a new connection.
	// It has no locks on it that closing it here would lose.
	log, err := os.Open(s.path() + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil // all of it is in the database, which was synced then
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
