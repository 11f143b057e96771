package postgresstore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestADamagedDatabaseIsNotChanged damages the ledger of contents. The first answer of PostgreSQL
// that shows it ends all changes, also in a part that is whole: what is added to damaged records is
// lost when they are restored.
func TestADamagedDatabaseIsNotChanged(t *testing.T) {
	database := enginetest.Database(t)
	s := open(t, database)
	require.NoError(t, s.Intend(t.Context(), "first"))
	damage(t, database, "content")
	require.Eventually(t, func() bool { return s.Ready(t.Context()) == nil }, time.Minute, 10*time.Millisecond, "PostgreSQL starts again")

	before := addTenant(t, s, "before") // nobody knows yet
	require.NoError(t, s.Damaged())
	require.ErrorIs(t, s.Intend(t.Context(), "second"), store.ErrDamaged)
	require.ErrorIs(t, s.Damaged(), store.ErrDamaged)
	require.ErrorIs(t, s.Ready(t.Context()), store.ErrDamaged)

	require.ErrorIs(t, s.Write(t.Context(), before.ID, func(tx store.Writer) error { return tx.SetSetting(before.Root, "a", "b") }), store.ErrDamaged)
	_, err := s.Leftovers(t.Context(), time.Hour, time.Hour, store.Leftover{}, 1)
	require.ErrorIs(t, err, store.ErrDamaged)
	require.ErrorIs(t, s.Forget(t.Context(), []string{"none"}), store.ErrDamaged)
	_, err = s.Claim(t.Context(), "owner", time.Minute)
	require.ErrorIs(t, err, store.ErrDamaged)
	require.ErrorIs(t, s.Renew(t.Context(), "none", "owner", 0, time.Minute), store.ErrDamaged)
	require.ErrorIs(t, s.Abandon(t.Context(), "owner"), store.ErrDamaged)
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		_, err := tx.TenantByName("before")
		return err
	}), "what can be read is read")
}

// damage overwrites a table with garbage, and restarts PostgreSQL, which then reads it from the disk.
func damage(t *testing.T, database, table string) {
	t.Helper()
	c := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer c.Close(t.Context())
	testrun.Must(c.Exec(t.Context(), `CHECKPOINT`))(t)
	var dir, file string
	require.NoError(t, c.QueryRow(t.Context(), `SELECT current_setting('data_directory'), pg_relation_filepath($1)`, table).Scan(&dir, &file))
	file = filepath.Join(dir, file)
	info := testrun.Must(os.Stat(file))(t)
	require.NotZero(t, info.Size())
	f := testrun.Must(os.OpenFile(file, os.O_WRONLY, 0))(t)
	testrun.Must(f.Write(bytes.Repeat([]byte{0xa5}, int(info.Size()))))(t)
	require.NoError(t, f.Close())
	enginetest.KillPostgres(t)
	require.Eventually(t, func() bool { return c.Ping(t.Context()) != nil }, testrun.Patience(), time.Millisecond)
}
