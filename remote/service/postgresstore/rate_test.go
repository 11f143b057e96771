package postgresstore_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func addAccount(t *testing.T, s store.Store, tenant int64, name string) (id int64) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), tenant, func(tx store.Writer) (err error) {
		id, err = tx.AddAccount(store.Account{Tenant: tenant, Name: name})
		return err
	}))
	return id
}

// TestRequestsOfAnAccountAreCountedTogether checks that no minute has more requests than the limit,
// at two nodes together, and that a request is refused only if it would exceed the limit. The test
// simulates time by making the counted requests older.
func TestRequestsOfAnAccountAreCountedTogether(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	nodes := []interface {
		store.Store
		requestTaker
	}{open(t, database), open(t, database)}
	k := addTenant(t, nodes[0], "a")
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	names := 0
	rapid.Check(t, func(r *rapid.T) {
		names++
		account := addAccount(t, nodes[0], k.ID, string(rune('a'+names)))
		rpm := rapid.IntRange(1, 5).Draw(r, "rpm")
		var now time.Duration
		var accepted []time.Duration
		for range rapid.IntRange(1, 15).Draw(r, "requests") {
			// No sum of pauses is within 5 s of a minute, so that the duration of the test itself
			// does not matter.
			pause := time.Duration(rapid.IntRange(0, 3).Draw(r, "pause")) * 13 * time.Second
			testrun.Must(direct.Exec(t.Context(), `UPDATE request_slot SET taken = taken - $1::interval`, pause))(t)
			now += pause
			recent := 0
			for _, at := range accepted {
				if now-at < time.Minute {
					recent++
				}
			}
			wait := testrun.Must(nodes[rapid.IntRange(0, 1).Draw(r, "node")].TakeRequest(t.Context(), account, rpm))(t)
			require.Equal(t, recent >= rpm, wait > 0)
			if wait == 0 {
				accepted = append(accepted, now)
				continue
			}
			require.LessOrEqual(t, wait, accepted[len(accepted)-rpm]+time.Minute-now)
		}
	})
}

// TestRequestsGoOnWhenPostgreSQLBeganAgain checks that requests succeed after a restart of
// PostgreSQL, although all idle connections were lost.
func TestRequestsGoOnWhenPostgreSQLBeganAgain(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	account := addAccount(t, s, addTenant(t, s, "a").ID, "me")
	direct, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer direct.Close(t.Context())
	for range 5 {
		_, err = s.TakeRequest(t.Context(), account, 100)
		require.NoError(t, err)
		_, err = direct.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		require.NoError(t, err)
	}
}

type requestTaker interface {
	TakeRequest(ctx context.Context, account int64, rpm int) (time.Duration, error)
}

// TestRequestsAtOnceAreCountedOnce checks that exactly as many pass as are allowed.
func TestRequestsAtOnceAreCountedOnce(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	nodes := []requestTaker{open(t, database), open(t, database)}
	s := open(t, database)
	k := addTenant(t, s, "a")
	account := addAccount(t, s, k.ID, "me")
	var all sync.WaitGroup
	var passed atomic.Int64
	for i := range 40 {
		all.Go(func() {
			wait, err := nodes[i%2].TakeRequest(t.Context(), account, 25)
			if err != nil {
				t.Error(err)
			}
			if wait == 0 {
				passed.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 25, passed.Load())
	wait := testrun.Must(nodes[0].TakeRequest(t.Context(), account, 26))(t)
	require.Zero(t, wait, "the limit is one request higher")
	wait = testrun.Must(nodes[1].TakeRequest(t.Context(), account, 26))(t)
	require.Positive(t, wait)
	_, err := nodes[1].TakeRequest(t.Context(), account+1000, 26)
	require.NoError(t, err, "a request of an account that was just removed")
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.DeleteAccount(k.ID, "me") }))
}
