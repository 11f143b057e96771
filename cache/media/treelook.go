package media

import (
	"context"
	"errors"
	"time"

	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// This file is about how what must not overlook a colleague's change looks first:
// what makes a name that must be new, and what deletes at the service.

// look sees to it that the tree here is of a GetTree that began no longer than
// Options.Look before this call. Callers at the same time share one. Where the
// service gives no tree there is nothing to see.
func (s *Store) look(ctx context.Context) error {
	since := s.o.Now().Add(-s.o.Look)
	seen := func() bool { return s.seen(since) }
	if seen() {
		return nil
	}
	err := s.flights.Since(since, seen, s.patientTree).Await(ctx)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.OverBudget {
		err = s.flights.Fresh(s.patientTree).Await(ctx) // that was somebody's who does not wait as long
	}
	return err
}

// seen tells whether the tree here is of a GetTree that did not begin before a
// time, or whether the service gives none.
func (s *Store) seen(since time.Time) bool {
	s.mu.RLock()
	t := s.tree
	s.mu.RUnlock()
	return t.notOffered && s.o.Now().Sub(t.tried).Abs() < s.o.TTL || !t.stale && t.err == nil && !t.asked.IsZero() && !t.asked.Before(since)
}

// patientTree is fetchTree for a change, which waits for its turn under the
// request budget for as long as it takes.
func (s *Store) patientTree() error { return s.fetchTreeIn(remote.Patient(s.base)) }

// offlinePatience is how long what is queued anyway waits for the service.
const offlinePatience = 2 * time.Second

// LookForNew looks whether the service has a name that is about to be made here
// and must be new. It asks nothing for names that stay on this machine, or that
// are known to be taken. With Options.WriteBack a service that does not answer
// is no hindrance. The look is made by at most 1 request, and by none where one
// began within Options.Look.
func (s *Store) LookForNew(ctx context.Context, dir Ino, name, comm string) error {
	s.mu.RLock()
	d, err := s.directoryLocked(dir)
	needless := err != nil || d.Children[name] != nil || s.scratchLocked(d, name, comm) || !d.Made()
	silent := s.tree.unanswered || s.tree.err != nil
	silent = silent && s.o.Now().Sub(s.tree.tried).Abs() < retryPause
	s.mu.RUnlock()
	switch {
	case needless:
		return nil
	case !s.o.WriteBack:
		return s.look(ctx)
	case silent:
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, offlinePatience)
	defer cancel()
	err = s.look(limited)
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		s.tree.unanswered = true
		s.mu.Unlock()
	}
	return ctx.Err()
}

// unchangedThere looks whether the service still has under a name what is shown
// here: seen. Nobody deletes what he has not seen.
func (s *Store) unchangedThere(ctx context.Context, dir Ino, name string, seen tree.Version) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, err := s.childLocked(dir, name)
	switch {
	case err != nil:
		return err
	// What is blank and written was put over a published file by a rename: its content there is what that replaces.
	case n.Pub.ID != seen.ID || n.Pub.Differs(seen) || n.Blank && !n.Written && n.Pub.Size != 0:
		return &Error{Kind: Newer, Name: n.Path(), Detail: "somebody else changed it at the service, so it was not deleted; look at it and try again"}
	}
	return nil
}
