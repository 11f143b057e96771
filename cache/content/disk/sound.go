package disk

import (
	"cmp"
	"errors"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Soundness records whether every sync of a store has succeeded. After a failed sync the
// contents of the disk are unknown, and the kernel reports success for the next one without
// writing again. So no further sync is tried, and all waiters get the first error until the
// mount ends.
type Soundness struct {
	Judge  func(error) error     // is asked what a failure means; nil: nobody
	failed atomic.Pointer[error] // of the first sync that failed
}

// Failure returns the error of the first failed sync, nil if there is none.
func (s *Soundness) Failure() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Sync runs one sync, unless an earlier one failed.
func (s *Soundness) Sync(one func() error) error {
	if err := s.Failure(); err != nil {
		return err
	}
	err := one()
	if err != nil && s.Judge != nil {
		err = s.Judge(err)
	}
	if err != nil && !notTried(err) {
		s.failed.CompareAndSwap(nil, &err)
	}
	return cmp.Or(s.Failure(), err)
}

// notTried reports whether a sync failed because its file could not be opened at that moment: that
// says nothing about the disk, and the next sync can succeed.
func notTried(err error) bool {
	failed, ok := errors.AsType[*os.PathError](err)
	if !ok || failed.Op != "open" {
		return false
	}
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.ENOENT)
}

// SyncFile syncs a file or a directory. Tests make it fail.
var SyncFile = (*os.File).Sync
