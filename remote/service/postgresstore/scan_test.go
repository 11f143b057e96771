package postgresstore_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestWhatBelongsToOneNodeIsFoundByAnIndex checks that no change, and no page view, reads a table of thousands of rows:
// each node would become slower, and use more of PostgreSQL, with every paper that any node creates.
func TestWhatBelongsToOneNodeIsFoundByAnIndex(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	k := addTenant(t, open(t, database), "a")
	conn := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer conn.Close(t.Context())
	const rows = 5000
	for _, statement := range []string{
		`INSERT INTO node (tenant, parent, kind, name, folded_name, url_name) SELECT $1::bigint, $2::bigint, 1, 'c' || n, 'c' || n, 'c' || n FROM generate_series(1, $3) n`,
		`INSERT INTO setting (node, name, value) SELECT id, 'maxZoom', '200' FROM node WHERE tenant = $1::bigint AND $2::bigint + $3::int > 0`,
		`INSERT INTO media_dir (tenant, parent, name, folded_name) SELECT $1::bigint, $2::bigint * 0, 'd' || n, 'd' || n FROM generate_series(1, $3) n`,
	} {
		testrun.Must(conn.Exec(t.Context(), statement, k.ID, k.Root, rows))(t)
	}
	testrun.Must(conn.Exec(t.Context(), "VACUUM ANALYZE"))(t)
	var node, dir int64
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT (SELECT max(id) FROM node), (SELECT max(id) FROM media_dir)`).Scan(&node, &dir))
	count := func() (written, read int64) {
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT sum(n_tup_ins + n_tup_upd), sum(seq_tup_read) FILTER (WHERE relname IN ('node', 'setting', 'media_dir')) FROM pg_stat_user_tables`).Scan(&written, &read))
		return written, read
	}
	for name, ask := range map[string]func(tx store.Writer) error{
		"its ancestors": func(tx store.Writer) error { _, err := tx.Ancestors(node); return err },
		"a setting":     func(tx store.Writer) error { _, _, err := tx.InheritedSetting(node, "maxZoom"); return err },
		"its settings":  func(tx store.Writer) error { _, err := tx.InheritedSettings(node); return err },
		"its lineage": func(tx store.Writer) error {
			return tx.Lineage(k.ID, []int64{node}, func(store.Node) error { return nil })
		},
		"its path":    func(tx store.Writer) error { _, err := tx.Descend(k.ID, k.Root, []string{"c7"}); return err },
		"a directory": func(tx store.Writer) error { _, err := tx.DirBelow(dir, dir-1); return err },
		"a child": func(tx store.Writer) error {
			_, err := tx.AddNode(store.Node{Tenant: k.ID, Parent: node, Kind: remote.PaperNode, Name: "p", URLName: "p"})
			return err
		},
	} {
		written, before := count()
		s := testrun.Must(postgresstore.Open(t.Context(), database))(t)
		require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
			if err := tx.SetSetting(k.Root, "maxZoom", "300"); err != nil {
				return err
			}
			return ask(tx)
		}), name)
		require.NoError(t, s.Close())
		var read int64
		require.Eventually(t, func() bool { // a process of PostgreSQL tells what it did when it ends
			var now int64
			now, read = count()
			return now > written
		}, testrun.Patience(), time.Millisecond)
		require.Less(t, read-before, int64(rows), name)
	}
}
