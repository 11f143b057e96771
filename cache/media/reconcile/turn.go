package reconcile

import (
	"context"

	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Turn waits until a deletion or a move may go out: with the context that it returns, that does
// not wait for the request budget. Then the tree comes from a GetTree that began at most Options.StrictTTL before: one that is
// needed for that has a place of its own right before the change. compared says that the service
// compares versions, so that nobody has to look. end must be called after it, also after an error. If the caller
// of ctx leaves before that, turn fails with waiter.ErrLeft: up to then the change has no effect.
func (s *Reconciler) Turn(ctx context.Context, op *remote.Operation, compared bool) (with context.Context, end func(), err error) {
	defer func() {
		if ctx.Err() != nil {
			err = waiter.ErrLeft
		}
	}()
	ctx = remote.Patient(ctx)
	old := s.o.StrictTTL
	if op == remote.DeleteDirectory { // with all that others have just put into it
		old = 0
	}
	fresh := func() bool { return compared || s.treeSince(s.names.Aging().Add(-old)) }
	ops := []*remote.Operation{remote.GetTree, op}
	if compared {
		ops = ops[1:]
	}
	with, end, err = s.o.Service.Turn(ctx, ops...)
	if err == nil && !fresh() {
		err = s.Patiently(ctx, s.Flights.Since(s.names.Aging().Add(-old), fresh, s.treeInTurn(with)))
	}
	return with, end, err
}

// treeInTurn is fetchTree in the turn of a deletion. Others may wait for it, so it does not end with
// the deletion's caller, but with the store.
func (s *Reconciler) treeInTurn(turn context.Context) func() error {
	return func() error {
		ctx, cancel := context.WithCancel(context.WithoutCancel(turn))
		defer cancel()
		defer context.AfterFunc(s.names.Base, cancel)()
		return s.fetchTreeIn(ctx)
	}
}

// This file is about versions that the service itself compares (contract, 4.10): where it does, the
// mount need not look at the tree before a change. Where the tree tells no version, it looks.

// Compared returns the version that a change may require, or 0 if the service does not compare it.
func (s *Reconciler) Compared(mark remote.Version) remote.Version {
	if offers, _ := s.o.Service.Offers(); !offers.Versions {
		return 0
	}
	return mark
}

// BaseLocked returns what an upload may require in place of v: that version, or that no file has the name.
// It is 0 if the service does not compare it; Tree.Mu must be held.
func (s *Reconciler) BaseLocked(v tree.Version) remote.Version {
	if v.ID == 0 {
		return s.Compared(remote.NoFile)
	}
	return s.Compared(v.Mark)
}
