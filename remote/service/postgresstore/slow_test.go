package postgresstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestASearchThatTakesTooLong checks that a search ends by itself, and that other queries have no
// such limit.
func TestASearchThatTakesTooLong(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	k := addTenant(t, s, "a")
	search := func(ctx context.Context, after string) error {
		return s.Read(ctx, func(tx store.Reader) error {
			if _, err := tx.PagesContaining(k.Root, store.Phrase("garden")); err != nil {
				return err
			}
			_, _, err := tx.InheritedSetting(k.Root, after)
			return err
		})
	}
	require.NoError(t, search(t.Context(), "a"))
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	lock := func(table string) pgx.Tx {
		held := testrun.Must(direct.Begin(t.Context()))(t)
		testrun.Must(held.Exec(t.Context(), `LOCK TABLE `+table))(t)
		return held
	}
	held := lock("page_phrase")
	s.SearchTime = 100 * time.Millisecond
	require.ErrorIs(t, search(t.Context(), "a"), store.ErrSlow)
	s.SearchTime = time.Minute
	gone, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	require.NotErrorIs(t, search(gone, "a"), store.ErrSlow, "the caller gave up")
	require.NoError(t, held.Rollback(t.Context()))

	watcher, err := pgx.Connect(t.Context(), database) // a transaction keeps seeing the activity of its first query
	require.NoError(t, err)
	defer watcher.Close(t.Context())
	s.SearchTime = 2 * time.Second
	held = lock("setting")
	ended := make(chan error, 1)
	go func() { ended <- search(t.Context(), "a") }()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, watcher.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND datname = current_database() AND query_start < clock_timestamp() - interval '2.2 seconds')`).Scan(&waits))
		return waits
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, held.Rollback(t.Context()))
	require.NoError(t, <-ended)
}
