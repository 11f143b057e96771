package state

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// beforePapers is the last schema in which content in failed/ belonged to its path.
const beforePapers = 25

// TestFailedPDFsOfBeforeReplaceEachOtherNot checks that of two PDFs of one paper which an older paperfs kept, because they came
// under two names, the older one stays beside the other, as any older PDF: neither is taken for one that was replaced, and both
// follow their paper.
func TestFailedPDFsOfBeforeReplaceEachOtherNot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, database))
	require.NoError(t, err)
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations(), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), beforePapers)
	require.NoError(t, err)
	for _, e := range []struct {
		path, suffix string
		paper        int
	}{{"/papers/C/X.pdf", "", 7}, {"/papers/C/X.paper/source.pdf", " (older)", 7}, {"/papers/C/X.paper/source.pdf", "", 7}, {"/papers/C/X.pdf", " (damaged)", 7},
		{"/papers/C/Y.pdf", "", 8}, {"/papers/C/Y.paper/source.pdf", " (older)", 8}, {"/papers/C/.t.pdf", "", 9}, {"/papers/C/.u.pdf", "", 9}, {"/papers/C/N.pdf", "", 0}, {"/papers/D/N.pdf", "", 0}} {
		_, err = db.Exec(`INSERT INTO media_failed (path, suffix, paper, size, mode, mtime, reason, since) VALUES (?, ?, ?, 1, 384, 2, 'why', 3)`, e.path, e.suffix, e.paper)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())

	s, err := Open(Dirs{State: dir, Cache: t.TempDir()}, "/mnt")
	require.NoError(t, err)
	var got []string
	read(t, s.DB(), `SELECT paper, overtaken, path || suffix FROM media_failed ORDER BY id`, func(rows *sql.Rows) {
		var paper, overtaken int
		var path string
		require.NoError(t, rows.Scan(&paper, &overtaken, &path))
		got = append(got, fmt.Sprint(paper, overtaken, path))
	})
	require.NoError(t, s.Close())
	require.Equal(t, []string{"7 1/papers/C/X.pdf (older) (older)", "7 1/papers/C/X.paper/source.pdf (older)", "7 0/papers/C/X.paper/source.pdf", "7 0/papers/C/X.pdf (damaged)",
		"8 0/papers/C/Y.pdf", "8 0/papers/C/Y.paper/source.pdf (older)", "9 0/papers/C/.t.pdf", "9 0/papers/C/.u.pdf", "0 0/papers/C/N.pdf", "0 0/papers/D/N.pdf"}, got)
}
