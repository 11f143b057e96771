package postgresstore_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAnotherChangesNumberAfterACrash checks that a change that PostgreSQL lost does not count as
// kept because a later, committed one got its number.
func TestAnotherChangesNumberAfterACrash(t *testing.T) {
	database := enginetest.Database(t)
	c, through := cut(t, database)
	s := open(t, through)
	k := addTenant(t, s, "a")
	set := func(value string) error {
		return s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", value) })
	}
	require.NoError(t, set("one"))
	again := false                    // the number was reused
	crashed := make(chan struct{}, 1) // after it, again may be read
	c.crash = func() {
		defer func() { crashed <- struct{}{} }()
		direct, err := pgx.Connect(t.Context(), database)
		require.NoError(t, err)
		number := numberOf(t, direct, `SELECT max(backend_xid::text::bigint) FROM pg_stat_activity WHERE datname = current_database()`)
		enginetest.KillPostgres(t)
		require.Eventually(t, func() bool { return direct.Ping(t.Context()) != nil }, testrun.Patience(), time.Millisecond)
		require.Eventually(t, func() bool {
			direct, err = pgx.Connect(t.Context(), database)
			return err == nil
		}, time.Minute, 10*time.Millisecond)
		defer direct.Close(t.Context())
		next := numberOf(t, direct, `SELECT pg_current_xact_id()::text::bigint`)
		for again = next <= number; next <= number; {
			next = numberOf(t, direct, `SELECT pg_current_xact_id()::text::bigint`)
		}
	}
	for !again { // the number is not reused if another transaction wrote it to the disk
		c.before.Store(true)
		err := set("two")
		require.ErrorIs(t, err, store.ErrAway)
		require.False(t, c.before.Load(), "the connection must have been cut")
		<-crashed // the outcome may come first
		require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
			value, _, err := tx.InheritedSetting(k.Root, "a")
			require.Equal(t, "one", value)
			return err
		}))
	}
	require.NoError(t, set("three"))
	c.answer.Store(true)
	require.NoError(t, set("four"), "outcomes can be looked up again")
}

func numberOf(t *testing.T, c *pgx.Conn, question string) (number int64) {
	require.NoError(t, c.QueryRow(t.Context(), question).Scan(&number))
	return number
}
