package postgresstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
)

// TestACallerWhoGoesAwaySaysNothingOfPostgreSQL checks that a caller that disconnects or times out,
// while it waits for a connection or for its tenant, or during a query, does not count as an outage
// of PostgreSQL.
func TestACallerWhoGoesAwaySaysNothingOfPostgreSQL(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s, other := open(t, database), open(t, database)
	k := addTenant(t, s, "a")
	nothing := func(store.Reader) error { return nil }
	asks := func(ctx context.Context) error {
		return s.Read(ctx, func(tx store.Reader) error {
			<-ctx.Done()
			_, err := tx.ReadOnly()
			return err
		})
	}
	changes := func(ctx context.Context) error { return s.Write(ctx, k.ID, func(store.Writer) error { return nil }) }
	claims := func(ctx context.Context) error { _, err := s.Claim(ctx, "me", time.Hour); return err }
	reads := func(ctx context.Context) error { return s.Read(ctx, nothing) }
	looks := func(ctx context.Context) error { _, err := s.Caller(ctx, "host", "account"); return err }
	ends := map[string]func() (context.Context, context.CancelFunc){
		"time is up": func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), 50*time.Millisecond)
		},
		"hangs up": func() (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, stop)
			return ctx, stop
		},
	}
	each := func(what string, f func(context.Context) error) {
		for name, end := range ends {
			ctx, stop := end()
			err := f(ctx)
			require.ErrorIs(t, err, ctx.Err(), "%s, %s", what, name)
			require.NotErrorIs(t, err, store.ErrAway, "%s, %s", what, name)
			stop()
		}
	}
	each("question", asks)
	ended, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	require.NotErrorIs(t, claims(ended), store.ErrAway)

	release := make(chan struct{})
	busy, held := make(chan struct{}), make(chan error)
	const most = 12
	for range most {
		go func() {
			held <- s.Read(t.Context(), func(store.Reader) error { busy <- struct{}{}; <-release; return nil })
		}()
	}
	go func() {
		held <- other.Write(t.Context(), k.ID, func(store.Writer) error { busy <- struct{}{}; <-release; return nil })
	}()
	for range most + 1 {
		<-busy
	}
	each("reader", reads)
	each("look-up", looks)
	each("change", changes)
	close(release)
	for range most + 1 {
		require.NoError(t, <-held)
	}
	require.NoError(t, reads(t.Context()))
	require.NoError(t, changes(t.Context()))
}
