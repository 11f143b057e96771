package s3store

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"paperfs/remote/clock"
	"paperfs/remote/service/store"
)

// Keep cleans from time to time until ctx ends. Every node may run it: one that comes second
// finds nothing, or removes objects that are already gone.
func (s *Store) Keep(ctx context.Context, log *slog.Logger) {
	for clock.Sleep(ctx, rounds/2+rand.N(rounds)) == nil { // so that not all nodes clean at once
		removed, err := s.Clean(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			log.Warn("some unused content could not be removed", "error", err)
		}
		if removed > 0 {
			log.Info("removed unused content", "objects", removed)
		}
	}
}

// Clean removes what the ledger lists as left over; of given-up content also the parts. It may be
// stopped at any time, and continues from there. Content that the object store fails to remove
// waits for later and does not block the rest. If too many requests fail, the rest waits for the
// next round. Only one goroutine at a time may clean.
func (s *Store) Clean(ctx context.Context) (removed int, err error) {
	r := newRemoval(s.mostFailures)
	for {
		over, err := s.cleanBatch(ctx, r)
		if err != nil || over {
			return r.removed, errors.Join(r.err(), err)
		}
		if err := clock.Sleep(ctx, pace); err != nil {
			return r.removed, err
		}
	}
}

// cleanBatch removes the next batch. over reports that the round is finished.
func (s *Store) cleanBatch(ctx context.Context, r *removal) (over bool, err error) {
	all, err := s.ledger.Leftovers(ctx, s.ages.intended, s.ages.dropped, s.cursor, batch)
	if err != nil {
		return false, err
	}
	err = s.remove(ctx, s.stuck.without(all, time.Now()), r)
	if len(r.gone) > 0 {
		r.removed += len(r.gone)
		err = errors.Join(err, s.ledger.Forget(ctx, r.gone))
	}
	s.stuck.add(r.stay, time.Now().Add(stuckTime))
	r.note()
	if err != nil {
		return false, err
	}
	untried := slices.IndexFunc(all, func(l store.Leftover) bool { return r.untried[l.Key] })
	switch {
	case untried > 0:
		s.cursor = all[untried-1]
		return true, nil
	case untried == 0: // everything before it was tried
		return true, nil
	case len(all) < batch:
		s.cursor = store.Leftover{} // the next round starts with the oldest
		return true, nil
	}
	s.cursor = all[len(all)-1]
	return false, nil
}

// Stuck returns how many contents could not be removed and wait for another attempt.
func (s *Store) Stuck() int { return s.stuck.count(time.Now()) }
