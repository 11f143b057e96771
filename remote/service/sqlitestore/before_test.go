package sqlitestore

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/durable"
	"paperfs/remote/testrun"
)

// before returns a database that the last commit before 1.0.0 made.
func before(t *testing.T) (file string) {
	file = filepath.Join(t.TempDir(), "service.db")
	require.NoError(t, os.WriteFile(file, testrun.Unpack(t, "testdata/before-1.0.0.db.gz"), 0o600))
	return file
}

// TestADatabaseOfBefore100IsLikeANewOne checks that what the last commit before 1.0.0 left needs no migration but those that came
// later, and has the schema of a new database then, and what a new one has in it.
func TestADatabaseOfBefore100IsLikeANewOne(t *testing.T) {
	t.Parallel()
	old := testrun.Must(Open(t.Context(), before(t)))(t)
	defer old.Close()
	fresh, _ := openNew(t)
	require.Equal(t, testrun.Schema(t, old.reader), testrun.Schema(t, fresh.reader))
	for _, query := range []string{
		`SELECT json_group_array(json_array(id, read_only)) FROM service`,
		`SELECT json_group_array(json_array(id, name, root_url, public_url, processings, orders, tree_version <> 0, media_version, papers, told)) FROM tenant`,
		`SELECT json_group_array(json_array(id, tenant, parent, kind, name, folded_name, url_name, period_from, version)) FROM node`,
		`SELECT json_group_array(json_array(number, length(id), first)) FROM run`,
		`SELECT count(*) FROM event`,
		`SELECT json_group_array(json_array(name, seq)) FROM (SELECT * FROM sqlite_sequence WHERE name IN ('tenant', 'node', 'run') ORDER BY name)`,
	} {
		var want, got string
		require.NoError(t, old.reader.QueryRow(query).Scan(&want))
		require.NoError(t, fresh.reader.QueryRow(query).Scan(&got))
		require.Equal(t, want, got, query)
	}
}

// TestAnOlderDatabaseIsRefused checks that one which the last commit before 1.0.0 has not taken over is not changed, and that each
// refusal names that commit.
func TestAnOlderDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	file := before(t)
	s := connect(file)
	testrun.Must(s.writer.Exec(`DELETE FROM goose_db_version WHERE version_id > 7`))(t)
	_, err := s.writer.Exec(`DROP TABLE job_work`) // as it was then
	require.NoError(t, err)
	require.NoError(t, s.Close())
	content := testrun.Must(os.ReadFile(file))(t)
	for name, use := range map[string]func(ctx context.Context, file string) error{
		"Open":         func(ctx context.Context, file string) error { _, err := Open(ctx, file); return err },
		"OpenExisting": func(ctx context.Context, file string) error { _, err := OpenExisting(ctx, file); return err },
		"Inspect":      func(ctx context.Context, file string) error { _, err := Inspect(ctx, file, ""); return err },
		"Keys":         func(ctx context.Context, file string) error { return Keys(ctx, file, func(string) {}) },
	} {
		var older *durable.OlderError
		require.ErrorAs(t, use(t.Context(), file), &older, name)
		require.Equal(t, durable.OlderError{Place: file, Have: 7}, *older, name)
		require.ErrorContains(t, older, durable.LastBefore)
	}
	require.Equal(t, content, testrun.Must(os.ReadFile(file))(t))
}
