package media

import (
	"context"

	"paperfs/cache/content/cause"
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

// changing makes a change that requires versions at the service, which still takes from the tree; still fails if they are not those
// that the change is meant for. After a conflict the tree tells what is there instead: the same may be back, moved, or gone.
func (s *Store) changing(ctx context.Context, still, change func() error) (err error) {
	for try := 1; ; try++ {
		if err = still(); err != nil {
			return err
		}
		if err = change(); !cause.Conflict(err) || try == maxUploads {
			return err
		}
		if unread := s.refreshPatiently(ctx); unread != nil {
			return unread
		}
	}
}

// uploadSeen uploads content of n if the service has, under the name of n, what the content was begun on.
func (s *Store) uploadSeen(ctx context.Context, n *tree.Node, f *frozen, at target) (up remote.Upload, err error) {
	err = s.changing(ctx, func() (err error) {
		at.base, err = s.requireSeen(ctx, n, at, f.content)
		return err
	}, func() (err error) {
		up, err = s.upload(ctx, at, f.content, f.delivery != nil)
		return err
	})
	return up, s.hiding(n, err)
}
