package fullcopy_test

import (
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

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
