package draft

import (
	"context"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// deliver sends the queued content of a draft and handles the outcome.
func (s *Set) deliver(ctx context.Context, d *Draft, _ error) {
	d.mu.Lock()
	sp := d.pending
	d.mu.Unlock()
	to := d.publishedBy()
	err := to.Publish(ctx)
	outcome := outbox.Interrupted
	if !cause.Cancelled(ctx, err) {
		outcome = cause.Outcome(err, s.Outbox.Closed())
	}
	if err == nil || outcome == outbox.Blocked {
		s.o.Tried(err)
	}
	over, current := d.recordOutcome(sp, outcome, err)
	switch {
	case over && outcome == outbox.Refused:
		to.Published(err)
	case over:
		to.Published(nil)
	case current && outcome != outbox.Interrupted && err != nil:
		to.Delayed(err)
	}
}

// recordOutcome records the outcome of an attempt to send sp. over reports that nothing is queued
// any more, current that the outbox entry is still the one of this attempt.
func (d *Draft) recordOutcome(sp *spool.File, outcome outbox.Outcome, err error) (over, current bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if outcome == outbox.Refused {
		if d.pending == sp {
			d.refuseLocked(err)
		} else {
			outcome = outbox.Interrupted // a newer close has queued other content
		}
	}
	if over = d.pending == nil; over {
		d.set.Outbox.Drop(d)
	}
	current = d.set.Outbox.Ended(d, outcome, err)
	d.set.Outbox.Offer(d)
	return over, current
}

// refuseLocked removes the queued content from the queue because it was refused. It moves to
// failed/: now if newer content is being written, otherwise at the last release. d.mu must be
// held.
func (d *Draft) refuseLocked(reason error) {
	sp := d.pending
	if sp == nil {
		return
	}
	if sp == d.spool {
		gen := d.sentOrQueued()
		d.known.Lock()
		d.verdict = tree.Verdict{Reason: reason, Gen: gen} // also if a later write found no room: the queued content is complete
		d.known.Unlock()
	} else if sp.Frozen == 1 {
		d.keepFailed(sp, tree.Verdict{Reason: reason}) // unqueueLocked finds no file to drop
	}
	d.unqueueLocked()
}
