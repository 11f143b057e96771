package disk

import (
	"os"

	"paperfs/cache/media/lock"
)

// Soundness tells whether each sync of a store has succeeded. After one that
// failed nobody knows what is on the disk, and the system calls the next one a
// success without writing anything again: from then on none is tried, and all
// who wait are told the first failure, until the mount ends.
type Soundness struct {
	mu  lock.Mutex[lock.Sync]
	err error // guarded by mu: of the first sync that failed
}

// Failure is that of the first sync that failed, nil while none has.
func (s *Soundness) Failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Sync runs one sync, unless an earlier one has failed.
func (s *Soundness) Sync(one func() error) error {
	if err := s.Failure(); err != nil {
		return err
	}
	err := one()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return s.err
}

// SyncFile makes a file or a directory durable. Tests have it fail.
var SyncFile = (*os.File).Sync
