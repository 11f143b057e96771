package postgresstore_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestVersionsBesideAnOlderProgram checks that rows get new versions from a program that knows
// none.
func TestVersionsBesideAnOlderProgram(t *testing.T) {
	t.Parallel()
	all, url := nodes(t, 1)
	k := addTenant(t, all[0], "a")
	c := testrun.Must(pgx.Connect(t.Context(), url))(t)
	defer c.Close(t.Context())
	exec := func(query string) {
		testrun.Must(c.Exec(t.Context(), query, k.ID))(t)
	}
	read := func() (dir store.Dir, file store.File, node store.Node) {
		require.NoError(t, all[0].Read(t.Context(), func(tx store.Reader) (err error) {
			if dir, err = tx.DirByName(k.ID, 0, "d"); err != nil {
				return err
			}
			if file, err = tx.FileByName(k.ID, 0, "f"); err != nil {
				return err
			}
			node, err = tx.Node(k.ID, k.Root)
			return err
		}))
		return dir, file, node
	}
	exec(`INSERT INTO media_dir (tenant, parent, name, folded_name) VALUES ($1, 0, 'd', 'd')`)
	exec(`INSERT INTO media_file (tenant, dir, name, folded_name, size, sha256, content) VALUES ($1, 0, 'f', 'f', 0, sha256(''), 'key')`)
	dir, file, node := read()
	require.NotZero(t, dir.Version)
	require.NotZero(t, file.Version)
	exec(`UPDATE media_dir SET name = 'D' WHERE tenant = $1`)
	exec(`UPDATE media_file SET size = 1 WHERE tenant = $1`)
	exec(`UPDATE node SET name = 'other' WHERE tenant = $1`)
	dirNow, fileNow, nodeNow := read()
	require.NotEqual(t, dir.Version, dirNow.Version)
	require.NotEqual(t, file.Version, fileNow.Version)
	require.NotEqual(t, node.Version, nodeNow.Version)
}
