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
	if offers, _ := s.o.Service.Offers(); !offers.Versions || s.unjudged.Load() {
		return 0
	}
	return mark
}

// baseLocked returns what an upload may require in place of v: that version, or that no file has the name.
// It is 0 if the service does not compare it; s.mu must be held. Without a tree nobody could see what the
// service has instead.
func (s *Store) baseLocked(v tree.Version) remote.Version {
	switch {
	case s.getTree.notOffered:
		return 0
	case v.ID == 0:
		return s.judged(remote.NoFile)
	}
	return s.judged(v.Mark)
}

// sumTags reports whether the ETag of a content is its SHA-256 (contract, 4.10).
func (s *Store) sumTags() bool {
	offers, _ := s.o.Service.Offers()
	return offers.Versions
}

// checkJudged notes a service that offers versions but has not compared one: an older node of it may have
// overwritten or deleted a version of others. From now on the mount looks at the tree.
func (s *Store) checkJudged(op *remote.Operation, under *remote.Condition) {
	if under.If != 0 && !under.Judged && s.unjudged.CompareAndSwap(false, true) {
		s.o.Report("refresh", "", 0, errUnjudged(op.Name))
	}
}

type errUnjudged string

func (op errUnjudged) Error() string {
	return "the service offers versions, but did not compare the one that " + string(op) + " required: while an older node of it serves, changes of others may be replaced or deleted unseen"
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
