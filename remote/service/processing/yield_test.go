package processing

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// others is a store in which the PDFs of other tenants wait. Each fails after a minute.
type others struct {
	store.Store
	waiting  []string // GUIDs
	claims   []claimed
	released []string
}

// claimed is a claim for a PDF of others.
type claimed struct {
	tenant int64
	used   time.Duration
}

func (s *others) ClaimOther(_ context.Context, _ string, _ time.Duration, tenant int64, used time.Duration) (store.Work, error) {
	s.claims = append(s.claims, claimed{tenant, used})
	if len(s.waiting) == 0 {
		return store.Work{}, store.ErrNotFound
	}
	guid := s.waiting[0]
	s.waiting = s.waiting[1:]
	return store.Work{Job: store.Job{GUID: guid, Tenant: 2}, Attempts: 1}, nil
}

func (s *others) Read(context.Context, func(store.Reader) error) error {
	time.Sleep(time.Minute)
	return errAway
}

func (s *others) Release(_ context.Context, guid, _ string, _ int) error {
	s.released = append(s.released, guid)
	return nil
}

// yields returns a queue whose places are taken, and a rendering that began now.
func yields(s store.Store) (*Queue, *rendering) {
	q := newQueue(Config{Store: s, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	q.take(q.places)
	return q, &rendering{began: time.Now()}
}

// TestAPlaceIsYieldedOnlyWhenAllAreTaken checks that a PDF asks nobody while another place is free:
// its worker takes what waits.
func TestAPlaceIsYieldedOnlyWhenAllAreTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &others{waiting: []string{"a"}}
		q, r := yields(s)
		q.take(-1)
		require.NoError(t, yielding{}.yield(t.Context(), q, store.Work{Job: store.Job{Tenant: 1}}, r))
		require.Empty(t, s.claims)
		q.take(+1)
		require.NoError(t, yielding{}.yield(t.Context(), q, store.Work{Job: store.Job{Tenant: 1}}, r))
		require.Equal(t, []string{"a"}, s.released)
		require.Zero(t, q.Running())
	})
}

// TestTimeOfOthersIsNotUsed checks that a PDF which waited for those of others has not used that time,
// and so gives way to each of them, one between two pages.
func TestTimeOfOthersIsNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &others{waiting: []string{"a", "b"}}
		q, r := yields(s)
		for range 3 {
			time.Sleep(time.Second) // a page
			require.NoError(t, yielding{}.yield(t.Context(), q, store.Work{Job: store.Job{Tenant: 1}}, r))
		}
		require.Equal(t, []claimed{{1, 1 * time.Second}, {1, 2 * time.Second}, {1, 3 * time.Second}}, s.claims)
		require.Equal(t, []string{"a", "b"}, s.released)
		require.Equal(t, 3*time.Second, r.used())
	})
}

// TestAPlaceHasFewPDFsThatWait checks that the memory of a place has a bound.
func TestAPlaceHasFewPDFsThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &others{waiting: []string{"a"}}
		q, r := yields(s)
		require.NoError(t, yielding{mostWaiting}.yield(t.Context(), q, store.Work{Job: store.Job{Tenant: 1}}, r))
		require.Empty(t, s.claims)
	})
}

// TestAServiceThatClosesEndsAPDFThatWaits checks that a PDF does not go on after the one that it gave
// its place to, if the service is closing.
func TestAServiceThatClosesEndsAPDFThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &others{waiting: []string{"a"}}
		q, r := yields(s)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		require.ErrorIs(t, yielding{}.yield(ctx, q, store.Work{Job: store.Job{Tenant: 1}}, r), context.DeadlineExceeded)
		require.Equal(t, []string{"a"}, s.released)
	})
}
