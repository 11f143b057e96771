package reconcile

import (
	"context"
	"errors"
	"slices"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// RetryPause is the minimum time between a failed GetTree and the next one in the background, and
// between two that look for another version of the same content.
const RetryPause = 10 * time.Second

// Ready reports whether lookups and listings are answered at once.
func (s *Reconciler) Ready() bool {
	return s.names.Is(func() bool { return !s.names.GetTree.Fetched.IsZero() })
}

// Await waits for the very first GetTree, and starts another in the background if the tree is
// too old. Lookups and listings call it first.
func (s *Reconciler) Await(ctx context.Context) error {
	s.names.Mu.RLock()
	t, closed := s.names.GetTree, s.names.Closed
	s.names.Mu.RUnlock()
	switch {
	case closed:
		return nil
	case t.Fetched.IsZero():
		return s.FetchOldTree().Await(ctx)
	case s.old(t):
		s.FetchOldTree()
	}
	return nil
}

// AwaitIn is Await for a directory, but for one below papers/, of which no GetTree tells.
func (s *Reconciler) AwaitIn(ctx context.Context, dir inode.Ino) error {
	s.names.Mu.RLock()
	n := s.names.Nodes[dir]
	local := n != nil && n.InPapers(s.names.Papers)
	s.names.Mu.RUnlock()
	if local {
		return nil
	}
	return s.Await(ctx)
}

// old reports whether GetTree should be repeated.
func (s *Reconciler) old(t names.TreeStatus) bool {
	now := s.o.Now()
	switch {
	case t.Err != nil && now.Sub(t.Tried).Abs() < RetryPause:
		return false
	case t.Stale, now.Before(t.Fetched): // the clock was set back since an earlier run
		return true
	case t.Asked.IsZero():
		return now.Sub(t.Fetched) >= s.o.TTL
	}
	return s.names.Aging().Sub(t.Asked) >= s.o.Lasts(t.Fetched, s.o.TTL)
}

// FetchOldTree starts fetchTree unless another flight has refreshed the tree since the caller
// found it too old, or that there was none.
func (s *Reconciler) FetchOldTree() *waiter.Flight {
	return s.Flights.Since(time.Time{}, func() bool {
		s.names.Mu.RLock()
		defer s.names.Mu.RUnlock()
		return !s.names.GetTree.Fetched.IsZero() && !s.old(s.names.GetTree)
	}, s.fetchTree)
}

// TTL is how long a tree stays fresh.
func (s *Reconciler) TTL() time.Duration { return s.o.TTL }

// Refresh fetches the tree now and waits for it.
func (s *Reconciler) Refresh(ctx context.Context) error {
	return s.Flights.Fresh(s.fetchTree).Await(ctx)
}

// CatchUp fetches a tree of an earlier run now, and waits for it; unless told, also one that this run asked for before: it
// may lack what has changed until now.
func (s *Reconciler) CatchUp(ctx context.Context, told bool) error {
	s.names.Mu.RLock()
	old := !s.names.GetTree.Fetched.IsZero() && (!told || s.names.GetTree.Asked.IsZero()) || !told && s.names.GetTree.Fetching
	s.names.Mu.RUnlock()
	if !old {
		return nil
	}
	return s.Refresh(ctx)
}

// Forget makes the next lookup fetch the tree in the background.
func (s *Reconciler) Forget() {
	s.names.Mu.Lock()
	s.names.GetTree.Stale = true
	s.names.Mu.Unlock()
}

// fetchTree fetches the tree and reconciles it.
func (s *Reconciler) fetchTree() error { return s.fetchTreeIn(s.names.Base) }

func (s *Reconciler) fetchTreeIn(ctx context.Context) error {
	s.names.Mu.Lock()
	began, asked, aging, known := s.names.Serial, s.o.Now(), s.names.Aging(), s.names.KnownLocked()
	s.names.GetTree.Begin(asked)
	s.names.Mu.Unlock()

	tree, now, err := s.o.Service.GetTreeIfChanged(ctx, known)
	unchanged := errors.Is(err, remote.ErrUnchanged)
	var notOffered error // nor does such a service tell of any change
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.NotOffered {
		unchanged, notOffered = true, err
	}
	if unchanged {
		err = nil
	}
	s.names.Mu.Lock()
	s.names.GetTree.Err, s.names.GetTree.NotOffered, s.names.GetTree.Fetching = err, notOffered, false
	var changes []names.Changed
	var odd, hidden []string
	before, first := s.names.UptoLocked(), s.names.GetTree.Fetched.IsZero()
	switch {
	case err != nil:
		s.names.GetTree.Stale = true
	case !unchanged:
		s.names.GetTree.Odd, s.names.GetTree.Hidden, s.names.GetTree.Covered = slices.Clip(tree.Odd), nil, nil
		var whole bool
		if changes, whole = s.ReconcileLocked(tree, began); !whole {
			now = ""
		}
		s.names.GetTree.Validator, s.names.GetTree.AsOf = now, s.names.UptoLocked()
		odd, hidden = s.names.GetTree.ReportedOdd.Fresh(s.names.GetTree.Odd), s.names.GetTree.ReportedHidden.Fresh(s.names.GetTree.Hidden)
	}
	if err == nil {
		s.names.GetTree.Fetched, s.names.GetTree.Asked, s.names.GetTree.Unanswered = asked, aging, false
	}
	altered := first || s.names.UptoLocked() != before
	s.names.Mu.Unlock()
	if err != nil {
		return err
	}
	s.names.Changes.Tell(changes...)
	for _, words := range odd {
		s.o.Report("refresh", "", 0, &remote.Error{Op: remote.GetTree.Name, Kind: remote.Broken, Message: words})
	}
	for _, words := range hidden {
		s.o.Report("refresh", "", 0, errors.New(words))
	}
	if altered { // otherwise the time is written with the next change, or by Close
		s.names.Journal.Wake()
	}
	return nil
}

// OffersTree returns false once the service is known not to offer GetTree, and with it the
// group of operations that includes deletion.
func (s *Reconciler) OffersTree() bool {
	return s.names.Is(func() bool { return s.names.GetTree.NotOffered == nil })
}

// The rest of this file is for changes that must not overlook a change by others, so they check
// the tree first: creating a name that must be new, and deleting at the service.

// requireFreshTree ensures that the tree comes from a GetTree that began at most Options.StrictTTL
// before this call. Concurrent callers share one request.
func (s *Reconciler) requireFreshTree(ctx context.Context) error {
	since := s.names.Aging().Add(-s.o.StrictTTL)
	seen := func() bool { return s.treeSince(since) }
	if seen() {
		return nil
	}
	return s.Patiently(ctx, s.Flights.Since(since, seen, s.PatientTree))
}

// RefreshPatiently is Refresh for a change: it waits for the request budget.
func (s *Reconciler) RefreshPatiently(ctx context.Context) error {
	return s.Patiently(ctx, s.Flights.Fresh(s.PatientTree))
}

// Patiently waits for a GetTree for a change. If the GetTree of a read gives up for the request
// budget, another one follows.
func (s *Reconciler) Patiently(ctx context.Context, fl *waiter.Flight) error {
	err := fl.Await(ctx)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.OverBudget {
		err = s.Flights.Fresh(s.PatientTree).Await(ctx) // that flight was started with less patience
	}
	return err
}

// treeSince reports whether the tree comes from a GetTree that began at or after since, by aging.
func (s *Reconciler) treeSince(since time.Time) bool {
	s.names.Mu.RLock()
	t := s.names.GetTree
	s.names.Mu.RUnlock()
	return !t.Stale && t.Err == nil && !t.Asked.IsZero() && !t.Asked.Before(since)
}

// PatientTree is fetchTree for a change: it waits for the request budget as long as necessary.
func (s *Reconciler) PatientTree() error { return s.fetchTreeIn(remote.Patient(s.names.Base)) }

// offlinePatience is how long a change that will be queued anyway waits for the service.
const offlinePatience = 2 * time.Second

// CheckNewName checks the service for a name that is about to be created and must be new. It
// makes at most 1 request, and none for local names, names known to be taken, or if a GetTree
// began within Options.StrictTTL, or if the upload, which the caller waits for, requires a free name.
// With Options.WriteBack an unreachable service is not an error.
func (s *Reconciler) CheckNewName(ctx context.Context, dir inode.Ino, name, comm string) error {
	s.names.Mu.RLock()
	d, err := s.names.DirectoryLocked(dir)
	needless := err != nil || d.Children[name] != nil || s.names.ScratchLocked(d, name, comm) || !d.Made() ||
		s.o.WriteBack && s.silentLocked() || !s.o.WriteBack && s.BaseLocked(tree.Version{}) != 0
	s.names.Mu.RUnlock()
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
func (s *Reconciler) requireAnswer(ctx context.Context) error {
	if !s.o.WriteBack {
		return s.requireFreshTree(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, offlinePatience)
	defer cancel()
	err := s.requireFreshTree(limited)
	if err != nil && ctx.Err() == nil {
		s.names.Mu.Lock()
		s.names.GetTree.Unanswered = true
		s.names.Mu.Unlock()
	}
	return err
}

// silentLocked reports whether the service did not answer just now; Tree.Mu must be held.
func (s *Reconciler) silentLocked() bool {
	return (s.names.GetTree.Unanswered || s.names.GetTree.Err != nil) && s.o.Now().Sub(s.names.GetTree.Tried).Abs() < RetryPause
}

// SeeNewest reads the tree first, if it is older than Options.StrictTTL, unless the service itself compares v, which a
// change is to replace.
func (s *Reconciler) SeeNewest(ctx context.Context, v tree.Version) error {
	s.names.Mu.RLock()
	compared := s.BaseLocked(v) != 0
	s.names.Mu.RUnlock()
	if compared {
		return nil
	}
	return s.requireFreshTree(ctx)
}

// Unchanged reports whether a name still has version seen, as far as the tree tells: a version that the user has not
// seen is never deleted. If it has another, nobody can have looked at that yet.
func (s *Reconciler) Unchanged(dir inode.Ino, name string, seen tree.Version) error {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	n, err := s.names.ChildLocked(dir, name)
	switch {
	case err != nil:
		return err
	// A blank, written file was put over a published file by a rename; its Pub is the version
	// it replaces.
	case n.Latest().ID != seen.ID || n.Latest().Differs(seen) || n.Blank && !n.Written && n.Pub.Size != 0:
		s.ProtectLocked(n)
		return ErrNewer(n.Path())
	}
	return nil
}

// ErrNewer is the failure of a change that would replace or delete a version that its caller has not seen.
func ErrNewer(path string) error {
	return &refusal.Error{Kind: refusal.Newer, Name: path, Detail: "somebody else has just changed it on the service, so it stays as it is; check it and try again"}
}

// Reconciler keeps the tree as the service has it. It is safe for concurrent use.
type Reconciler struct {
	o       *option.Options
	names   *names.Tree
	Flights waiter.Flights
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree) *Reconciler {
	r := &Reconciler{o: o, names: names}
	r.Flights.Now = names.Aging
	return r
}
