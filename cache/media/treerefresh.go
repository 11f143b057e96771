package media

import (
	"context"
	"errors"
	"slices"
	"time"

	"paperfs/cache/failure"
	"paperfs/remote"
)

// retryPause is how long nobody asks for the tree in the background after
// that failed.
const retryPause = 10 * time.Second

// Ready reports whether look-ups and listings answer at once.
func (s *Store) Ready() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.notOffered || !s.tree.fetched.IsZero()
}

// Await waits for the first GetTree of all, and has one that is too old
// repeated in the background. Look-ups and listings begin with it.
func (s *Store) Await(ctx context.Context) error {
	s.mu.RLock()
	t, closed := s.tree, s.closed
	s.mu.RUnlock()
	now := s.o.Now()
	switch {
	case closed || t.notOffered && now.Sub(t.tried).Abs() < s.o.TTL:
		return nil
	case t.notOffered: // perhaps it was a proxy that said so
		s.flights.Join(s.fetchTree)
	case t.fetched.IsZero():
		return s.flights.Join(s.firstTree).Await(ctx)
	case t.old(now, s.o.TTL):
		s.fetchOldTree()
	}
	return nil
}

// old reports whether the tree is to be asked for again.
func (t *treeStatus) old(now time.Time, ttl time.Duration) bool {
	if t.err != nil && now.Sub(t.tried).Abs() < retryPause {
		return false
	}
	return t.stale || now.Sub(t.fetched) >= ttl || now.Before(t.fetched) // the clock was set back since an earlier run
}

// fetchOldTree begins fetchTree, unless another flight has ended since the caller
// found the tree old.
func (s *Store) fetchOldTree() {
	s.flights.Since(time.Time{}, func() bool {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return !s.tree.old(s.o.Now(), s.o.TTL)
	}, s.fetchTree)
}

// TTL is how long a tree is good.
func (s *Store) TTL() time.Duration { return s.o.TTL }

// Refresh asks for the tree now and waits for it.
func (s *Store) Refresh(ctx context.Context) error {
	return s.flights.Fresh(s.fetchTree).Await(ctx)
}

// Forget has the next look-up ask for the tree, in the background.
func (s *Store) Forget() {
	s.mu.Lock()
	s.tree.stale = true
	s.mu.Unlock()
}

// firstTree is fetchTree unless another flight has ended since the caller found
// that there was none.
func (s *Store) firstTree() error {
	s.mu.RLock()
	there := !s.tree.fetched.IsZero() || s.tree.notOffered
	s.mu.RUnlock()
	if there {
		return nil
	}
	return s.fetchTree()
}

// fetchTree asks for the tree and compares it with what is known.
func (s *Store) fetchTree() error { return s.fetchTreeIn(s.base) }

func (s *Store) fetchTreeIn(ctx context.Context) error {
	s.mu.Lock()
	began, asked, known := s.serial, s.o.Now(), s.knownLocked()
	s.tree.tried, s.tree.stale, s.tree.unanswered = asked, false, false
	s.mu.Unlock()

	tree, now, err := s.o.Service.GetTreeIfChanged(ctx, known)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.NotOffered {
		s.mu.Lock()
		s.tree.notOffered, s.tree.err = true, err
		s.mu.Unlock()
		return nil
	}
	unchanged := errors.Is(err, remote.ErrUnchanged)
	if unchanged {
		err = nil
	}
	s.mu.Lock()
	s.tree.err = err
	var changes []Changed
	var odd, hidden []string
	before, first := s.dirtied, s.tree.fetched.IsZero()
	switch {
	case err != nil:
		s.tree.stale = true
	case !unchanged:
		s.tree.odd, s.tree.hidden = slices.Clip(tree.Odd), nil
		var whole bool
		if changes, whole = s.reconcileLocked(tree, began); !whole {
			now = ""
		}
		s.tree.validator, s.tree.asOf = now, s.dirtied
		odd, hidden = s.tree.toldOdd.Fresh(s.tree.odd), s.tree.toldHidden.Fresh(s.tree.hidden)
	}
	if err == nil {
		s.tree.fetched, s.tree.asked, s.tree.unanswered, s.tree.notOffered = asked, asked, false, false
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
	s.treeRead()
	if altered { // what has changed nothing is noted with the next change, or by Close
		s.journal.Poke()
	}
	return nil
}

// offersTree is false once the service is known to lack GetTree, and with it
// the group of operations that deleting belongs to.
func (s *Store) offersTree() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return !s.tree.notOffered
}

// treeStatus is what is known of GetTree.
type treeStatus struct {
	fetched    time.Time // when the last good one was asked for; zero: never
	saved      time.Time // the same as the state has it
	tried      time.Time // when the last one was asked for in this run
	asked      time.Time // when the last good one was asked for in this run
	unanswered bool      // somebody has waited in vain for the one asked for last
	stale      bool      // somebody has reason to think that the service has changed
	notOffered bool
	err        error            // of the last one
	unshown    int              // names in it that cannot be shown
	odd        []string         // what in it is left out, or shown as well as can be, in words
	hidden     []string         // what in it is not shown here, in words
	toldOdd    failure.Oddities // those of odd that were reported
	toldHidden failure.Oddities // those of hidden

	validator remote.Validator // of the answer that was compared last, if all of it is here
	asOf      uint64           // dirtied, when nothing had changed here since
}
