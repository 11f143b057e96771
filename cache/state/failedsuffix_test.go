package state

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// beforeSuffixes is the last schema in which what distinguishes content in failed/ was part of its path.
const beforeSuffixes = 21

// entry is where content in failed/ was to go.
type entry struct{ path, suffix string }

// migratedEntries returns the entries of failed/ after the migrations of a state with these paths, and the
// paths after a way back.
func migratedEntries(t *testing.T, paths []string) (entries []entry, back []string) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, database))
	require.NoError(t, err)
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations(), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), beforeSuffixes)
	require.NoError(t, err)
	for _, path := range paths {
		_, err = db.Exec(`INSERT INTO media_failed (path, size, mode, mtime, reason, since) VALUES (?, 1, 384, 2, 'why', 3)`, path)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())

	s, err := Open(Dirs{State: dir, Cache: t.TempDir()}, "/mnt")
	require.NoError(t, err)
	read(t, s.DB(), `SELECT path, suffix FROM media_failed ORDER BY id`, func(rows *sql.Rows) {
		var e entry
		require.NoError(t, rows.Scan(&e.path, &e.suffix))
		entries = append(entries, e)
	})
	require.NoError(t, s.Close())

	db, err = sql.Open("sqlite", filepath.Join(dir, database))
	require.NoError(t, err)
	provider, err = goose.NewProvider(goose.DialectSQLite3, db, migrations(), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.DownTo(t.Context(), beforeSuffixes)
	require.NoError(t, err)
	read(t, db, `SELECT path FROM media_failed ORDER BY id`, func(rows *sql.Rows) {
		var path string
		require.NoError(t, rows.Scan(&path))
		back = append(back, path)
	})
	require.NoError(t, db.Close())
	return entries, back
}

// read visits the rows of a query.
func read(t *testing.T, db *sql.DB, query string, visit func(*sql.Rows)) {
	rows, err := db.Query(query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		visit(rows)
	}
	require.NoError(t, rows.Err())
}

// TestSuffixesOfOlderFailuresAreNoNames checks that a PDF in failed/ of an older paperfs goes back to
// the paper's own PDF, that a user's file whose name merely looks so keeps it, and that the way back
// to the older paperfs is the way that the entries came.
func TestSuffixesOfOlderFailuresAreNoNames(t *testing.T) {
	t.Parallel()
	want := []entry{
		{"/papers/A/Spring.paper/source.pdf", ""},
		{"/papers/A/Spring.paper/source.pdf", " (older)"},
		{"/papers/A/Spring.paper/source.pdf", " (damaged)"},
		{"/papers/A/Plan (older).pdf", " (older)"},
		{"/papers/A/Plan (older).pdf", ""},               // the user's own name
		{"/papers/A (older)/Plan.paper/source.pdf", ""},  // of a category
		{"/papers/A (damaged)/ledger.pdf", " (damaged)"}, // letters of the suffix before it
		{"/papers/Ü/SPRING.PDF", " (older)"},             // in capital letters
		{"Prices (older)", ""},                           // below media/: these, too
		{"papers/A/Plan.pdf (older)", ""},                // media/papers
		{"a.pdf (damaged)", ""},                          //
		{"unnamed-7", ""},
	}
	var paths []string
	for _, e := range want {
		paths = append(paths, e.path+e.suffix)
	}
	got, back := migratedEntries(t, paths)
	require.Equal(t, want, got)
	require.Equal(t, paths, back)
}
