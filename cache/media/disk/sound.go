package disk

import (
	"cmp"
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"paperfs/cache/media/lock"
)

// Soundness records whether every sync of a store has succeeded. After a failed sync the
// contents of the disk are unknown, and the kernel reports success for the next one without
// writing again. So no further sync is tried, and all waiters get the first error until the
// mount ends.
type Soundness struct {
	mu  lock.Mutex[lock.Sync]
	err error // guarded by mu: of the first sync that failed
}

// Failure returns the error of the first failed sync, nil if there is none.
func (s *Soundness) Failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Sync runs one sync, unless an earlier one failed.
func (s *Soundness) Sync(one func() error) error {
	if err := s.Failure(); err != nil {
		return err
	}
	err := one()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && !notTried(err) {
		s.err = err
	}
	return cmp.Or(s.err, err)
}

// notTried reports whether a sync failed because its file could not be opened at that moment: that
// says nothing about the disk, and the next sync can succeed.
func notTried(err error) bool {
	failed, ok := errors.AsType[*os.PathError](err)
	if !ok || failed.Op != "open" {
		return false
	}
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}

// SyncFile syncs a file or a directory. Tests make it fail.
var SyncFile = (*os.File).Sync
