package postgresstore_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/durable"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/testrun"
)

// before returns a database that the last commit before 1.0.0 made.
func before(t *testing.T) (url string) {
	url = enginetest.EmptyDatabase(t)
	c := connected(t, url)
	testrun.Must(c.PgConn().Exec(t.Context(), string(testrun.Unpack(t, "testdata/before-1.0.0.sql.gz"))).ReadAll())(t)
	return url
}

func connected(t *testing.T, url string) *pgx.Conn {
	c := testrun.Must(pgx.Connect(t.Context(), url))(t)
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c
}

// schema returns what the catalog of a database says of the tables, functions and so on that are not of the table of migrations, and the
// first rows.
func schema(t *testing.T, url string) (all []string) {
	c := connected(t, url)
	for _, query := range []string{
		`SELECT format('%s %s %s %s %s %s %s %s %s', table_name, ordinal_position, column_name, data_type, collation_name, column_default, is_nullable, identity_generation, identity_maximum)
			FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'goose%'`,
		`SELECT format('%s %s %s %s', relname, relkind, relpersistence, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'goose%'`,
		`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'goose%'`,
		`SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'goose%'`,
		// A dump has more brackets.
		`SELECT translate(pg_get_triggerdef(oid), '()', '') FROM pg_trigger WHERE NOT tgisinternal`,
		`SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
			AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`,
		`SELECT extname FROM pg_extension`,
		`SELECT (to_jsonb(t))::text FROM tenant t`, `SELECT (to_jsonb(n) - 'version')::text FROM node n`, `SELECT (to_jsonb(s))::text FROM service s`, `SELECT count(*)::text FROM event`,
		`SELECT sequencename || ' ' || coalesce(last_value, 0) FROM pg_sequences WHERE sequencename NOT LIKE 'goose%'`,
	} {
		rows := testrun.Must(c.Query(t.Context(), `SELECT * FROM (`+query+`) all_of (one) ORDER BY one`))(t)
		found := testrun.Must(pgx.CollectRows(rows, pgx.RowTo[string]))(t)
		require.NotEmpty(t, found, query)
		all = append(all, found...)
	}
	return all
}

// TestADatabaseOfBefore100IsLikeANewOne checks that nodes take what the last commit before 1.0.0 left, and that it has the schema
// of a new database, and what a new one has in it, once it was migrated.
func TestADatabaseOfBefore100IsLikeANewOne(t *testing.T) {
	t.Parallel()
	old, fresh := before(t), enginetest.EmptyDatabase(t)
	for _, url := range []string{old, fresh} {
		require.NoError(t, postgresstore.Migrate(t.Context(), url))
		open(t, url)
	}
	have, want := schema(t, old), schema(t, fresh)
	require.Empty(t, slices.DeleteFunc(slices.Clone(have), func(s string) bool { return slices.Contains(want, s) }), "only the old one has them")
	require.Empty(t, slices.DeleteFunc(want, func(s string) bool { return slices.Contains(have, s) }), "only a new one has them")
}

// TestAnOlderDatabaseIsRefused checks that one which the last commit before 1.0.0 has not taken over is not migrated, and that the
// refusal names that commit.
func TestAnOlderDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	url := before(t)
	testrun.Must(connected(t, url).Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id > 12`))(t)
	_, err := postgresstore.Open(t.Context(), url)
	for _, err := range []error{err, postgresstore.Migrate(t.Context(), url)} {
		var older *durable.OlderError
		require.ErrorAs(t, err, &older)
		require.EqualValues(t, 12, older.Have)
		require.ErrorContains(t, err, durable.LastBefore)
	}
}
