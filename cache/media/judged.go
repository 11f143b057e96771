package media

import (
	"context"
	"errors"

	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// This file is about versions that the service itself compares (contract, 4.10): where it does, the
// mount need not look at the tree before a change. Where the tree tells no version, it looks.

// judged returns the version that a change may require, or 0 if the service does not compare it.
func (s *Store) judged(mark remote.Version) remote.Version {
	if offers, _ := s.o.Service.Offers(); !offers.Versions {
		return 0
	}
	return mark
}

// baseLocked returns what an upload may require in place of v: that version, or that no file has the name.
// It is 0 if the service does not compare it; s.mu must be held.
func (s *Store) baseLocked(v tree.Version) remote.Version {
	if v.ID == 0 {
		return s.judged(remote.NoFile)
	}
	return s.judged(v.Mark)
}

// isConflict reports whether the service refused a change because the thing has another version.
func isConflict(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Code == remote.VersionConflict
}

// uploadSeen uploads content of n if the service has, under the name of n, what the content was begun on.
// After a conflict the tree tells what is there instead: the base may also have moved, or be gone.
func (s *Store) uploadSeen(ctx context.Context, n *tree.Node, f *frozen, at target) (up remote.Upload, err error) {
	queued := f.delivery != nil
	for try := 1; ; try++ {
		if at.base, err = s.requireSeen(ctx, n, at, f.content); err != nil {
			return up, err
		}
		if up, err = s.upload(ctx, at, f.content, queued); !isConflict(err) {
			return up, s.hiding(n, err)
		}
		unread := s.refreshPatiently(ctx)
		s.mu.RLock()
		clash := at.dir.Clashes(at.name, false, n)
		s.mu.RUnlock()
		switch {
		case unread != nil && queued: // it is tried again
			return up, unread
		case clash != nil:
			return up, clash
		case unread != nil || try == maxUploads:
			return up, errConflict(at.path)
		}
	}
}
