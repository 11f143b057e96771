package media

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// deliver sends a queued node and handles the outcome. last is the error of the previous
// attempt.
func (s *Store) deliver(ctx context.Context, d *tree.Delivery, last error) {
	s.mu.Lock()
	n, canceller, again := d.Node, d.Canceller, d.Node.Kind == File && !d.Node.Queued()
	if n.Kind == File {
		canceller.Gen = n.Body().Queued // of what cannot even be opened
	}
	d.Last = last
	s.mu.Unlock()
	if again {
		s.retryFinalize(d, last)
		return
	}
	err := s.o.State.Whole()
	switch {
	case err != nil:
	case n.Kind == Directory:
		err = s.sendDir(ctx, n)
	default:
		err = s.publishOrPart(ctx, n, d)
	}
	cancelled := cause.Cancelled(ctx, err) // the canceller decides what happens next
	if !cancelled && n.PDF == nil && cause.Unclear(err) {
		err = s.classifyUnclear(ctx, d, err)
	}
	refused := s.recordOutcome(d, cancelled, err)
	switch n = s.nodeOf(d); {
	case refused && n.Kind == Directory:
		_ = s.failDir(n, err) // what remains is retried
	case refused:
		_ = s.failFile(n, d, tree.Verdict{Reason: err, Gen: canceller.Gen})
	case n.Kind == File && !s.inUse(n):
		_ = s.finalize(n) // after an error it is tried again
	}
}

// recordOutcome records the outcome of an attempt and reports whether the service refused it
// permanently.
func (s *Store) recordOutcome(d *tree.Delivery, cancelled bool, err error) (refused bool) {
	n := s.nodeOf(d)
	newer := n.Kind == File && n.Body().Unsent()
	s.mu.Lock()
	if d.Node != n { // its name has let go of n meanwhile: the new inode has what is queued
		n, newer = d.Node, true
	}
	outcome := outbox.Interrupted
	if !cancelled {
		outcome = cause.Outcome(err, d.Queue.Closed())
	}
	if err == nil || outcome == outbox.Blocked {
		s.noteBarredLocked(err)
	}
	op, path, id := operations[n.Kind], n.Path(), n.Pub.ID
	if n.IsPDF() {
		op, path, id = "process", s.shownLocked(n), n.PDF.Paper
	}
	mended := err == nil && n.Parent != nil && !newer && !d.Outdated
	current := d.Queue.Ended(d, outcome, err)
	refused = current && outcome == outbox.Refused
	if n.Delivery == d { // otherwise it was sent or removed, or is being rewritten
		if err == nil && !newer || refused && n.Kind == Directory {
			s.setQueuedLocked(n, false)
		}
		s.offerLocked(n)
	}
	s.mu.Unlock()
	switch tells := current && outcome != outbox.Interrupted && err != nil; {
	case tells && !refused && (d.Told != nil && d.Told.Error() == err.Error() || s.brief(d, err)):
	case tells:
		d.Told = err
		s.o.Report(op, path, id, err)
	case mended:
		s.o.Mended(op, path)
	}
	return refused
}

// briefOutage is how long after its close content may meet errors of the service's server, as while that restarts, before anybody
// hears of them.
const briefOutage = 3 * time.Second

func (s *Store) brief(d *tree.Delivery, err error) bool {
	e, is := errors.AsType[*remote.Error](err)
	return is && e.Kind == remote.Status && e.Status >= 500 && s.o.Now().Sub(d.Since).Abs() <= briefOutage
}

// longestUnclear is how long a single file may be refused for an unclear reason before that
// counts as permanent. The time restarts with each mount.
const longestUnclear = 24 * time.Hour

// classifyUnclear decides what an unclear failure err means, by a harmless request to the
// service. If that request fails as well, the
// whole queue waits. Otherwise only d waits, for at most longestUnclear.
func (s *Store) classifyUnclear(ctx context.Context, d *tree.Delivery, err error) error {
	silent := s.o.Service.Answers(remote.Patient(ctx)) != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	switch {
	case silent:
		d.UnclearSince = time.Time{}
	case d.UnclearSince.IsZero() || now.Before(d.UnclearSince): // the clock was set back
		d.UnclearSince = now
	case now.Sub(d.UnclearSince) >= longestUnclear:
		return fmt.Errorf("refused for a day, although the service answered other requests: %w", err)
	}
	return &cause.UnclearError{Err: err, All: silent}
}
