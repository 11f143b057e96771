package postgresstore_test

import (
	"context"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestPostgreSQLIsAway checks that callers can distinguish an outage from other failures, even
// within a transaction, and that everything works again once PostgreSQL is back.
func TestPostgreSQLIsAway(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	_, through := cut(t, database)
	s := open(t, through)
	k := addTenant(t, s, "a")
	u := testrun.Must(url.Parse(through))(t)
	dir := u.Query().Get("host")
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	end := func() {
		testrun.Must(direct.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))(t)
	}
	set := func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", "b") }

	require.ErrorIs(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error { end(); return set(tx) }), store.ErrAway)
	require.NoError(t, s.Write(t.Context(), k.ID, set))
	require.NoError(t, os.Rename(dir, dir+" away"))
	t.Cleanup(func() { os.RemoveAll(dir + " away") })
	end()
	require.ErrorIs(t, s.Read(t.Context(), func(store.Reader) error { return nil }), store.ErrAway)
	require.ErrorIs(t, s.Write(t.Context(), k.ID, set), store.ErrAway)
	require.ErrorIs(t, s.Ready(t.Context()), store.ErrAway)
	_, err := s.Caller(t.Context(), "host", "account")
	require.ErrorIs(t, err, store.ErrAway)
	_, err = s.Claim(t.Context(), "me", time.Hour)
	require.ErrorIs(t, err, store.ErrAway)
	require.ErrorIs(t, s.Intend(t.Context(), "key"), store.ErrAway)
	gone, stop := context.WithCancel(t.Context())
	stop()
	require.NotErrorIs(t, s.Read(gone, func(store.Reader) error { return nil }), store.ErrAway)
	require.NoError(t, os.Rename(dir+" away", dir))
	require.NoError(t, s.Ready(t.Context()))
	require.NoError(t, s.Write(t.Context(), k.ID, set))
}
