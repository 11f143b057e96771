package media

import (
	"context"
	"errors"
	"slices"
	"time"

	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// retryPause is the minimum time between a failed GetTree and the next one in the background, and
// between two that look for another version of the same content.
const retryPause = 10 * time.Second

// Ready reports whether lookups and listings are answered at once.
func (s *Store) Ready() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return !s.getTree.fetched.IsZero()
}

// Await waits for the very first GetTree, and starts another in the background if the tree is
// too old. Lookups and listings call it first.
func (s *Store) Await(ctx context.Context) error {
	s.mu.RLock()
	t, closed := s.getTree, s.closed
	s.mu.RUnlock()
	switch {
	case closed:
		return nil
	case t.fetched.IsZero():
		return s.fetchOldTree().Await(ctx)
	case s.old(t):
		s.fetchOldTree()
	}
	return nil
}

// AwaitIn is Await for a directory, but for one below papers/, of which no GetTree tells.
func (s *Store) AwaitIn(ctx context.Context, dir Ino) error {
	s.mu.RLock()
	n := s.nodes[dir]
	local := n != nil && n.InPapers(s.papers)
	s.mu.RUnlock()
	if local {
		return nil
	}
	return s.Await(ctx)
}

// old reports whether GetTree should be repeated.
func (s *Store) old(t treeStatus) bool {
	now := s.o.Now()
	switch {
	case t.err != nil && now.Sub(t.tried).Abs() < retryPause:
		return false
	case t.stale, now.Before(t.fetched): // the clock was set back since an earlier run
		return true
	case t.asked.IsZero():
		return now.Sub(t.fetched) >= s.o.TTL
	}
	return s.aging().Sub(t.asked) >= s.o.Lasts(t.fetched, s.o.TTL)
}

// fetchOldTree starts fetchTree unless another flight has refreshed the tree since the caller
// found it too old, or that there was none.
func (s *Store) fetchOldTree() *waiter.Flight {
	return s.flights.Since(time.Time{}, func() bool {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return !s.getTree.fetched.IsZero() && !s.old(s.getTree)
	}, s.fetchTree)
}

// TTL is how long a tree stays fresh.
func (s *Store) TTL() time.Duration { return s.o.TTL }

// Refresh fetches the tree now and waits for it.
func (s *Store) Refresh(ctx context.Context) error {
	return s.flights.Fresh(s.fetchTree).Await(ctx)
}

// CatchUp fetches a tree of an earlier run now, and waits for it; unless told, also one that this run asked for before: it
// may lack what has changed until now.
func (s *Store) CatchUp(ctx context.Context, told bool) error {
	s.mu.RLock()
	old := !s.getTree.fetched.IsZero() && (!told || s.getTree.asked.IsZero()) || !told && s.getTree.fetching
	s.mu.RUnlock()
	if !old {
		return nil
	}
	return s.Refresh(ctx)
}

// Forget makes the next lookup fetch the tree in the background.
func (s *Store) Forget() {
	s.mu.Lock()
	s.getTree.stale = true
	s.mu.Unlock()
}

// fetchTree fetches the tree and reconciles it.
func (s *Store) fetchTree() error { return s.fetchTreeIn(s.base) }

func (s *Store) fetchTreeIn(ctx context.Context) error {
	s.mu.Lock()
	began, asked, aging, known := s.serial, s.o.Now(), s.aging(), s.knownLocked()
	s.getTree.begin(asked)
	s.mu.Unlock()

	tree, now, err := s.o.Service.GetTreeIfChanged(ctx, known)
	unchanged := errors.Is(err, remote.ErrUnchanged)
	var notOffered error // nor does such a service tell of any change
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.NotOffered {
		unchanged, notOffered = true, err
	}
	if unchanged {
		err = nil
	}
	s.mu.Lock()
	s.getTree.err, s.getTree.notOffered, s.getTree.fetching = err, notOffered, false
	var changes []Changed
	var odd, hidden []string
	before, first := s.dirtied, s.getTree.fetched.IsZero()
	switch {
	case err != nil:
		s.getTree.stale = true
	case !unchanged:
		s.getTree.odd, s.getTree.hidden, s.getTree.covered = slices.Clip(tree.Odd), nil, nil
		var whole bool
		if changes, whole = s.reconcileLocked(tree, began); !whole {
			now = ""
		}
		s.getTree.validator, s.getTree.asOf = now, s.dirtied
		odd, hidden = s.getTree.toldOdd.Fresh(s.getTree.odd), s.getTree.toldHidden.Fresh(s.getTree.hidden)
	}
	if err == nil {
		s.getTree.fetched, s.getTree.asked, s.getTree.unanswered = asked, aging, false
	}
	altered := first || s.dirtied != before
	s.mu.Unlock()
	if err != nil {
		return err
	}
	s.changes.add(changes...)
	for _, words := range odd {
		s.o.Report("refresh", "", 0, &remote.Error{Op: remote.GetTree.Name, Kind: remote.Broken, Message: words})
	}
	for _, words := range hidden {
		s.o.Report("refresh", "", 0, errors.New(words))
	}
	if altered { // otherwise the time is written with the next change, or by Close
		s.journal.Wake()
	}
	return nil
}

// begin notes that the tree is asked for. What was stale is not recent before the answer.
func (t *treeStatus) begin(at time.Time) {
	if t.stale {
		t.asked = time.Time{}
	}
	t.tried, t.stale, t.unanswered, t.fetching = at, false, false, true
}

// offersTree returns false once the service is known not to offer GetTree, and with it the
// group of operations that includes deletion.
func (s *Store) offersTree() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.getTree.notOffered == nil
}

// The rest of this file is for changes that must not overlook a change by others, so they check
// the tree first: creating a name that must be new, and deleting at the service.

// requireFreshTree ensures that the tree comes from a GetTree that began at most Options.StrictTTL
// before this call. Concurrent callers share one request.
func (s *Store) requireFreshTree(ctx context.Context) error {
	since := s.aging().Add(-s.o.StrictTTL)
	seen := func() bool { return s.treeSince(since) }
	if seen() {
		return nil
	}
	return s.patiently(ctx, s.flights.Since(since, seen, s.patientTree))
}

// refreshPatiently is Refresh for a change: it waits for the request budget.
func (s *Store) refreshPatiently(ctx context.Context) error {
	return s.patiently(ctx, s.flights.Fresh(s.patientTree))
}

// patiently waits for a GetTree for a change. If the GetTree of a read gives up for the request
// budget, another one follows.
func (s *Store) patiently(ctx context.Context, fl *waiter.Flight) error {
	err := fl.Await(ctx)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.OverBudget {
		err = s.flights.Fresh(s.patientTree).Await(ctx) // that flight was started with less patience
	}
	return err
}

// treeSince reports whether the tree comes from a GetTree that began at or after since, by aging.
func (s *Store) treeSince(since time.Time) bool {
	s.mu.RLock()
	t := s.getTree
	s.mu.RUnlock()
	return !t.stale && t.err == nil && !t.asked.IsZero() && !t.asked.Before(since)
}

// patientTree is fetchTree for a change: it waits for the request budget as long as necessary.
func (s *Store) patientTree() error { return s.fetchTreeIn(remote.Patient(s.base)) }

// offlinePatience is how long a change that will be queued anyway waits for the service.
const offlinePatience = 2 * time.Second

// CheckNewName checks the service for a name that is about to be created and must be new. It
// makes at most 1 request, and none for local names, names known to be taken, or if a GetTree
// began within Options.StrictTTL, or if the upload, which the caller waits for, requires a free name.
// With Options.WriteBack an unreachable service is not an error.
func (s *Store) CheckNewName(ctx context.Context, dir Ino, name, comm string) error {
	s.mu.RLock()
	d, err := s.directoryLocked(dir)
	needless := err != nil || d.Children[name] != nil || s.scratchLocked(d, name, comm) || !d.Made() ||
		s.o.WriteBack && s.silentLocked() || !s.o.WriteBack && s.baseLocked(tree.Version{}) != 0
	s.mu.RUnlock()
	if needless {
		return nil
	}
	err = s.requireAnswer(ctx)
	if s.o.WriteBack {
		return ctx.Err()
	}
	return err
}

// requireAnswer is requireFreshTree. With Options.WriteBack it does not wait long for a service that
// is unreachable, and notes that it has waited in vain.
func (s *Store) requireAnswer(ctx context.Context) error {
	if !s.o.WriteBack {
		return s.requireFreshTree(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, offlinePatience)
	defer cancel()
	err := s.requireFreshTree(limited)
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		s.getTree.unanswered = true
		s.mu.Unlock()
	}
	return err
}

// silentLocked reports whether the service did not answer just now; s.mu must be held.
func (s *Store) silentLocked() bool {
	return (s.getTree.unanswered || s.getTree.err != nil) && s.o.Now().Sub(s.getTree.tried).Abs() < retryPause
}

// seeNewest reads the tree first, if it is older than Options.StrictTTL, unless the service itself compares v, which a
// change is to replace.
func (s *Store) seeNewest(ctx context.Context, v tree.Version) error {
	s.mu.RLock()
	judged := s.baseLocked(v) != 0
	s.mu.RUnlock()
	if judged {
		return nil
	}
	return s.requireFreshTree(ctx)
}

// unchanged reports whether a name still has version seen, as far as the tree tells: a version that the user has not
// seen is never deleted. If it has another, nobody can have looked at that yet.
func (s *Store) unchanged(dir Ino, name string, seen tree.Version) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.childLocked(dir, name)
	switch {
	case err != nil:
		return err
	// A blank, written file was put over a published file by a rename; its Pub is the version
	// it replaces.
	case n.Latest().ID != seen.ID || n.Latest().Differs(seen) || n.Blank && !n.Written && n.Pub.Size != 0:
		s.unseenNowLocked(n)
		return errNewer(n.Path())
	}
	return nil
}

// errNewer is the failure of a change that would replace or delete a version that its caller has not seen.
func errNewer(path string) error {
	return &Error{Kind: Newer, Name: path, Detail: "somebody else has just changed it on the service, so it stays as it is; check it and try again"}
}
