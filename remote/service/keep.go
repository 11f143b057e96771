package service

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"paperfs/remote/clock"
	"paperfs/remote/service/operation"
	"paperfs/remote/service/store"
)

const (
	// versionTime is for how long the service keeps at least what is replaced, and knows which files
	// ended.
	versionTime = 24 * time.Hour
	// defaultLeastKept is how many bytes a tenant may have kept, if it has no more itself.
	defaultLeastKept = 1 << 30
	// eventTime is for how long the log has a change: a mount that was not there for some days is told of the jobs since.
	eventTime = 7 * 24 * time.Hour
	// keepRound is how often the service looks for what it no longer keeps.
	keepRound = 10 * time.Minute
)

// keepRounds removes from time to time what is no longer kept, until ctx ends. Every node does.
func (s *Service) keepRounds(ctx context.Context) {
	for clock.Sleep(ctx, keepRound/2+rand.N(keepRound)) == nil {
		s.purge(s.outdated)
		s.cutEvents(ctx, time.Now().Add(-eventTime))
	}
}

// makeRoom removes the oldest of what is kept, where an upload meets the disk's reserve, and reports whether there was any.
// What tenants keep beyond their own figures goes first, however young it is; then half of what that tenant keeps that keeps
// most: nobody loses what is kept to one who keeps more.
func (s *Service) makeRoom() bool {
	now := s.calls.Now()
	bounds, err := s.bounds()
	if err != nil {
		s.calls.Log.Warn("no room could be made from what is kept of deleted things", "error", err)
		return false
	}
	return s.purge(func(_ store.Reader, tenant int64) (store.Outdated, error) {
		bytes, bounded := bounds[tenant]
		if !bounded {
			bytes = math.MaxInt64
		}
		return store.Outdated{Bytes: bytes, Spared: now.Add(time.Second), Ended: now.Add(-versionTime)}, nil
	})
}

// bounds returns how many bytes the tenants may keep that have to make room.
func (s *Service) bounds() (bounds map[int64]int64, err error) {
	err = s.calls.Store.Read(context.Background(), func(tx store.Reader) error {
		bounds = map[int64]int64{}
		tenants, err := tx.KeepingTenants()
		var most, greatest int64
		for i := 0; i < len(tenants) && err == nil; i++ {
			var figure, kept int64
			if figure, err = s.figure(tx, tenants[i]); err == nil {
				kept, err = tx.KeptBytes(tenants[i])
			}
			if kept > figure {
				bounds[tenants[i]] = figure
			}
			if kept > greatest {
				most, greatest = tenants[i], kept
			}
		}
		if len(bounds) == 0 {
			bounds[most] = greatest / 2
		}
		return err
	})
	return bounds, err
}

// Kept is what the service keeps, as room on its disk that others can ask for.
type Kept struct{ Service *Service }

// Size returns its bytes, of all tenants, as far as they can be read.
func (k Kept) Size() (bytes int64) {
	_ = k.Service.calls.Store.Read(context.Background(), func(tx store.Reader) error {
		bytes = 0
		tenants, err := tx.KeepingTenants()
		for _, tenant := range tenants {
			more, failed := tx.KeptBytes(tenant)
			bytes, err = bytes+more, errors.Join(err, failed)
		}
		return err
	})
	return bytes
}

// Evict frees n bytes in the steps of makeRoom. It removes nothing if all would not be enough: then that is
// worth more than the room.
func (k Kept) Evict(n int64) {
	for size := k.Size(); n > 0 && n <= size && k.Service.makeRoom(); {
		left := k.Size()
		n, size = n-size+left, left
	}
}

// outdated says what of a tenant is no longer kept. The default of the bytes spares what was taken
// away within a day: a tenant that has deleted everything can have it back.
func (s *Service) outdated(tx store.Reader, tenant int64) (o store.Outdated, err error) {
	now := s.calls.Now()
	t, err := tx.Tenant(tenant)
	if err != nil {
		return o, err
	}
	o = store.Outdated{Before: now.Add(-max(time.Duration(t.Keep.ForDays())*24*time.Hour, versionTime)), Ended: now.Add(-versionTime), Spared: now.Add(time.Second)}
	if t.Keep.Bytes == nil {
		o.Spared = o.Ended
	}
	o.Bytes, err = s.figure(tx, tenant)
	return o, err
}

// figure returns how many bytes a tenant may have kept.
func (s *Service) figure(tx store.Reader, tenant int64) (int64, error) {
	t, err := tx.Tenant(tenant)
	if err != nil {
		return 0, err
	}
	if t.Keep.Bytes != nil {
		return *t.Keep.Bytes, nil
	}
	held, err := tx.Held(tenant)
	return max(held, s.leastKept), err
}

// purge removes what is outdated, in changes of some thousand entries, and reports whether there was
// any.
func (s *Service) purge(outdated func(store.Reader, int64) (store.Outdated, error)) (any bool) {
	var tenants []int64
	err := s.calls.Store.Read(context.Background(), func(tx store.Reader) (err error) {
		tenants, err = tx.KeepingTenants()
		return err
	})
	for _, tenant := range tenants {
		for more := err == nil; more && err == nil; any = any || more && err == nil {
			err = s.calls.Store.Write(context.Background(), tenant, func(tx store.Writer) error {
				more, err = purgeSome(tx, tenant, outdated)
				return err
			})
			err = store.IgnoreNotFound(err) // the tenant was removed
		}
	}
	if err != nil {
		s.calls.Log.Warn("deleted things whose time is over could not be removed", "error", err)
	}
	return any
}

func purgeSome(tx store.Writer, tenant int64, outdated func(store.Reader, int64) (store.Outdated, error)) (more bool, err error) {
	o, err := outdated(tx, tenant)
	if err != nil {
		return false, err
	}
	entries, err := tx.Outdated(tenant, o)
	for _, k := range entries {
		if err == nil {
			err = operation.PurgeEntry(tx, k, k.By.At.Before(o.Ended))
		}
	}
	return len(entries) > 0 && err == nil, err
}

// cutEvents removes from the log of changes what is older than a time, by the clock of the machine.
func (s *Service) cutEvents(ctx context.Context, before time.Time) {
	var tenants []int64
	err := s.calls.Store.Read(ctx, func(tx store.Reader) (err error) {
		tenants, err = tx.OldEvents(before)
		return err
	})
	for _, tenant := range tenants {
		if err == nil {
			err = s.calls.Store.Write(ctx, tenant, func(tx store.Writer) error { return tx.CutEvents(tenant, before) })
		}
	}
	if err != nil && ctx.Err() == nil {
		s.calls.Log.Warn("the log of changes is not cut", "error", err)
	}
}

// janitor removes in the background what is needed no longer.
type janitor struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func startJanitor(s *Service, examined string) *janitor {
	ctx, stop := context.WithCancel(context.Background())
	j := &janitor{stop: stop}
	j.ended.Go(func() { s.keepRounds(ctx) })
	j.ended.Go(func() { s.examineRounds(ctx, examined) })
	if k, ok := s.calls.Contents.(keeper); ok {
		j.ended.Go(func() { k.Keep(ctx, s.calls.Log) })
	}
	return j
}

// close ends the janitor. It reads the records, which are closed after it.
func (j *janitor) close() {
	if j == nil {
		return
	}
	j.stop()
	j.ended.Wait()
}
