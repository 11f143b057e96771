package fullcopy_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/service/admin"
	"paperfs/remote/service/fullcopy"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestACopyToADiskThatIsFull checks that such a copy fails, cannot be served, and continues
// when there is space, even with other options.
func TestACopyToADiskThatIsFull(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	over, _ := copied(t)
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"); err != nil {
		testrun.Missing(t, "the right to mount a disk: "+err.Error())
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	to := fullcopy.Place{Data: filepath.Join(disk, "data")}
	_, err := fullcopy.Copy(t.Context(), over, to, fullcopy.Options{})
	require.ErrorIs(t, err, store.ErrNoSpace)
	_, err = admin.Open(to.Data)
	require.Error(t, err)
	require.NoError(t, unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, "size=500m"))
	require.Empty(t, testrun.Must(fullcopy.Copy(t.Context(), over, to, fullcopy.Options{Verify: true}))(t).Content.Missing)
	require.True(t, check(t, to).Sound())
}

// tablesOf returns the tables of a PostgreSQL database.
func tablesOf(t *testing.T, database string) []string {
	c := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer c.Close(t.Context())
	rows := testrun.Must(c.Query(t.Context(), `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'`))(t)
	return testrun.Must(pgx.CollectRows(rows, pgx.RowTo[string]))(t)
}

// tablesIn returns the tables in a file, except the parts of its index.
func tablesIn(t *testing.T, file string) (names []string) {
	db := testrun.Must(sql.Open("sqlite", "file:"+file+"?mode=ro"))(t)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 'page\_index%' ESCAPE '\'`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	return names
}
