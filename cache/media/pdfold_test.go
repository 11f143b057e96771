package media

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/spool"
)

// TestPDFsOfAnEarlierVersion opens the state of a paperfs whose PDFs were no files of the store: what was queued is sent, and what was
// written, also under a temporary name, is in failed/ with its path and paper.
func TestPDFsOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, writingBack)
	f.close()
	for serial, content := range []string{1: "%PDF queued", 2: "%PDF beside", 3: "%PDF writing", 4: "%PDF temp", 5: "%PDF anew!d"} {
		if serial > 0 {
			require.NoError(t, os.WriteFile(filepath.Join(f.store.Spools.Path, spool.Name(uint64(serial))), []byte(content), 0o600))
		}
	}
	f.inState(t, `INSERT INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured, draft) VALUES
		(16, 7, '/papers/a.paper/source.pdf', 1, 0, 1000000000000000000, 0, 0, 0, 11, 'pages', '', 5),
		(17, 0, '/papers/Spring.pdf', 2, 3, 1000000000000000000, 0, 1, 0, 11, '', '', 2),
		(18, 8, '/papers/b.paper/source.pdf', 0, 0, 1000000000000000000, 0, 0, 0, 0, '', '', 3),
		(19, 3, '/papers/.Spring.pdf.aBcDeF', 0, 0, 1000000000000000000, 0, 0, 0, 0, '', '', 4)`)
	papers.goAway(unreachable)
	f.open()
	written := time.Unix(1e9, 0)
	require.Equal(t, []queuedPDF{
		{PDF{Paper: 7, Path: pdfPath, Seen: "pages"}, written, "%PDF queued"},
		{PDF{Dir: 3, Path: "/papers/Spring.pdf", New: true, MayBeThere: true}, written, "%PDF beside"},
	}, f.queuedPDFs())
	failed := map[string]string{pdfPath: "%PDF anew!d", "/papers/b.paper/source.pdf": "%PDF writing", "/papers/.Spring.pdf.aBcDeF": "%PDF temp"}
	require.Equal(t, failed, f.inFailed())
	of := map[string]int64{}
	for _, e := range f.store.Failed() {
		of[e.Path] = e.Paper
		require.Equal(t, e.Path == "/papers/.Spring.pdf.aBcDeF", e.Temporary)
	}
	require.Equal(t, map[string]int64{pdfPath: 7, "/papers/b.paper/source.pdf": 8, "/papers/.Spring.pdf.aBcDeF": 3}, of)
	papers.goAway(nil)
	f.drain()
	require.ElementsMatch(t, []string{"7: %PDF queued", "101: %PDF beside"}, papers.arrived())
	f.reopen()
	require.Equal(t, failed, f.inFailed())
	require.Empty(t, f.queuedPDFs())
}
