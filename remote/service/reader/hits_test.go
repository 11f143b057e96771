package reader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// hitStore counts changes, and can be unavailable.
type hitStore struct {
	store.Store
	writes atomic.Int64
	away   atomic.Bool
	cut    atomic.Bool // changes end with an unknown outcome
}

func (s *hitStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	s.writes.Add(1)
	if s.away.Load() {
		return store.ErrAway
	}
	if !s.cut.Load() {
		return s.Store.Write(ctx, tenant, f)
	}
	return &store.UnsureError{Err: errors.Join(store.ErrAway, s.Store.Write(ctx, tenant, f))}
}

// seenPages returns the hits of pages that were shown.
func seenPages(pages ...int) (hits []store.Hit) {
	for _, page := range pages {
		hits = append(hits, store.Hit{Page: page})
	}
	return hits
}

// logged returns a log that is shown if the test fails.
func logged(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// TestHitsAreCountedOnce checks that hits of a change whose outcome is unknown are not counted again, but logged.
func TestHitsAreCountedOnce(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	s.cut.Store(true)
	var log strings.Builder
	h := startHits(s, slog.New(slog.NewTextHandler(&log, nil)), time.Millisecond, hitsLimit)
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(1), true}))
	require.Eventually(t, func() bool { views, _ := s.of(t, papers[0]); return views == 1 }, testrun.Patience(), time.Millisecond)
	s.cut.Store(false)
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(2), true}))
	h.Close()
	views, visits := s.of(t, papers[0])
	require.EqualValues(t, []int64{2, 2}, []int64{views, visits})
	require.Zero(t, h.size)
	require.Contains(t, log.String(), "cannot be known")
}

// counting returns a store with two tenants, each with one paper.
func counting(t *testing.T) (s *hitStore, tenants, papers [2]int64) {
	db, err := sqlitestore.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) (err error) {
		for i := range tenants {
			if tenants[i], err = tx.AddTenant(store.Tenant{Name: fmt.Sprint(i), RootURL: "/"}); err != nil {
				return err
			}
			k, err := tx.TenantByName(fmt.Sprint(i))
			if err != nil {
				return err
			}
			if papers[i], err = tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"}); err != nil {
				return err
			}
		}
		return nil
	}))
	return &hitStore{Store: db}, tenants, papers
}

func (s *hitStore) of(t *testing.T, paper int64) (views, visits int64) {
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		days, err := tx.DayHits(paper, 0, 99)
		for _, d := range days {
			views, visits = views+d.Views, visits+d.Visits
		}
		return err
	}))
	return views, visits
}

// TestHitsAreWrittenTogether checks that hits are written in one change per tenant, some time after
// the first, and that there is no change without hits.
func TestHitsAreWrittenTogether(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	h := startHits(s, logged(t), time.Hour, hitsLimit)
	for range 100 {
		for i := range tenants {
			require.True(t, h.count(tenants[i], papers[i], 7, hitForm{seenPages(1, 2), true}))
		}
	}
	require.Zero(t, s.writes.Load())
	h.Write()
	require.Eventually(t, func() bool {
		_, visits := s.of(t, papers[1])
		_, first := s.of(t, papers[0])
		return visits == 100 && first == 100
	}, testrun.Patience(), time.Millisecond)
	require.EqualValues(t, 2, s.writes.Load())
	h.Close()
	require.EqualValues(t, 2, s.writes.Load(), "there is no change without hits")
	views, _ := s.of(t, papers[0])
	require.EqualValues(t, 200, views)

	h = startHits(s, logged(t), time.Millisecond, hitsLimit)
	require.True(t, h.count(tenants[0], papers[0], 8, hitForm{seenPages(1), false}))
	require.Eventually(t, func() bool { views, _ := s.of(t, papers[0]); return views == 201 }, testrun.Patience(), time.Millisecond, "the timer writes the hits")
	require.True(t, h.count(tenants[0], papers[0], 8, hitForm{seenPages(1), false}))
	h.Close()
	views, _ = s.of(t, papers[0])
	require.EqualValues(t, 202, views, "Close writes the hits")
}

// TestHitsWaitForTheStore checks that hits are written, together with newer ones, once the store is
// available again. Their number is bounded, and the loss of others is logged.
func TestHitsWaitForTheStore(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	var log strings.Builder
	h := startHits(s, slog.New(slog.NewTextHandler(&log, nil)), time.Millisecond, hitsLimit)
	s.away.Store(true)
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(1, 1, 2), true}))
	require.Eventually(t, func() bool { return s.writes.Load() > 3 }, testrun.Patience(), time.Millisecond)
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(2), true}))
	s.away.Store(false)
	require.Eventually(t, func() bool { views, visits := s.of(t, papers[0]); return views == 4 && visits == 2 }, testrun.Patience(), time.Millisecond)
	s.away.Store(true)
	full := 0
	for page := 1; full == 0; page++ {
		require.LessOrEqual(t, page, 2*mostHits)
		if !h.count(tenants[0], papers[0], 7, hitForm{seenPages(page), false}) {
			full = page
		}
	}
	h.Close()
	require.LessOrEqual(t, h.size, mostHits)
	require.Contains(t, log.String(), "page views are lost")
}

// TestManyHitsAreWrittenInParts checks that many hits are written in several changes, so that others run between them.
func TestManyHitsAreWrittenInParts(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	h := startHits(s, logged(t), time.Hour, time.Minute)
	var pages []int
	for page := range 1_000 {
		pages = append(pages, page+1)
	}
	for day := range store.Day(12) {
		require.True(t, h.count(tenants[0], papers[0], day, hitForm{seenPages(pages...), true}))
	}
	h.Close()
	views, visits := s.of(t, papers[0])
	require.Equal(t, []int64{12_000, 12}, []int64{views, visits})
	require.EqualValues(t, 3, s.writes.Load())
	require.Zero(t, h.size)
}

// stuckStore blocks each change until its context ends.
type stuckStore struct {
	store.Store
	writes atomic.Int64
}

func (s *stuckStore) Write(ctx context.Context, _ int64, _ func(store.Writer) error) error {
	s.writes.Add(1)
	<-ctx.Done()
	return ctx.Err()
}

// TestTheEndWaitsForFewHits checks that with a stuck store, Close does not wait for every tenant in
// turn, even if writing began before Close.
func TestTheEndWaitsForFewHits(t *testing.T) {
	t.Parallel()
	for name, every := range map[string]time.Duration{"at the end": time.Hour, "before": time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			var s stuckStore
			var log strings.Builder
			h := startHits(&s, slog.New(slog.NewTextHandler(&log, nil)), every, 50*time.Millisecond)
			for tenant := range int64(100) {
				require.True(t, h.count(tenant, tenant, 7, hitForm{seenPages(1), true}))
			}
			if every < time.Hour {
				require.Eventually(t, func() bool { return s.writes.Load() > 0 }, testrun.Patience(), time.Millisecond)
			}
			h.Close()
			require.Less(t, s.writes.Load(), int64(90))
			require.Equal(t, 200, h.size)
			require.Contains(t, log.String(), "page views are lost")
		})
	}
}

// TestAFullStoreIsNotAskedForEachHit checks that while hits cannot be written, a hit refused for
// lack of room does not trigger another attempt.
func TestAFullStoreIsNotAskedForEachHit(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	s.away.Store(true)
	h := startHits(s, logged(t), time.Hour, hitsLimit)
	pages := make([]int, mostHits-1)
	for i := range pages {
		pages[i] = i + 1
	}
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(pages...), false}))
	require.False(t, h.count(tenants[1], papers[1], 7, hitForm{seenPages(1), false}))
	require.Eventually(t, func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.waits }, testrun.Patience(), time.Millisecond)
	for range 1_000 {
		require.False(t, h.count(tenants[1], papers[1], 7, hitForm{seenPages(1), false}), "memory is full, so the hit is refused")
	}
	h.Close()
	require.EqualValues(t, 2, s.writes.Load(), "one attempt when memory is full, and one on Close")
	require.Equal(t, mostHits, h.size)
}

// TestHitsOfATenantThatIsGone checks that hits of a deleted tenant are dropped.
func TestHitsOfATenantThatIsGone(t *testing.T) {
	t.Parallel()
	s, tenants, papers := counting(t)
	h := startHits(s, logged(t), time.Hour, hitsLimit)
	require.True(t, h.count(tenants[0], papers[0], 7, hitForm{seenPages(1), true}))
	require.NoError(t, s.Store.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.DeleteTenant(tenants[0]) }))
	h.Close()
	require.Zero(t, h.size)
}

// TestHitLimitsOfManyAddresses checks that the number of remembered addresses is bounded, and that they are forgotten after a minute.
func TestHitLimitsOfManyAddresses(t *testing.T) {
	t.Parallel()
	var l hitLimits
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	for i := range mostAddresses + 10 {
		require.Zero(t, l.take(fmt.Sprint(i), 1, now))
		if len(l.from) > mostAddresses {
			t.Fatal(i)
		}
	}
	require.Zero(t, l.take("a", 1, now.Add(time.Minute)))
	require.Len(t, l.from, 1)
}

// FuzzHit checks that any accepted form has a bounded number of valid page numbers.
func FuzzHit(f *testing.F) {
	for _, text := range []string{"pages=1,2&new=true", "pages=", "pages=%31&pages=2", "pages=-1", "pages=1,,2", "new=1", "pages=99999999999999999999", "pages=+1", "pages=0x1", "pages=1&new=2", "pages=1&link=2+https://example.org/", "link=", "link=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		seen, ok := parseHit(form)
		if !ok {
			return
		}
		require.NotEmpty(t, seen.hits)
		require.LessOrEqual(t, len(seen.hits), hitPages)
		for _, hit := range seen.among(5).hits {
			require.True(t, hit.Page >= 1 && hit.Page <= 5)
		}
	})
}
