package media

import (
	"os"

	"paperfs/cache/media/lock"
)

// soundness tells whether each sync of a store has succeeded. After one that
// failed nobody knows what is on the disk, and the system calls the next one a
// success without writing anything again: from then on none is tried, and all
// who wait are told the first failure, until the mount ends.
type soundness struct {
	mu  lock.Mutex[lock.Sync]
	err error // guarded by mu: of the first sync that failed
}

// failure is that of the first sync that failed, nil while none has.
func (s *soundness) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// sync runs one sync, unless an earlier one has failed.
func (s *soundness) sync(one func() error) error {
	if err := s.failure(); err != nil {
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

// syncFile makes a file or a directory durable. Tests have it fail.
var syncFile = (*os.File).Sync
