package mounttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAQueuedPDFWhosePaperOthersDelete checks that the PDF is in failed/, and that the reason names
// the deletion and what to do.
func TestAQueuedPDFWhosePaperOthersDelete(t *testing.T) {
	t.Parallel()
	for _, pages := range []string{"known", "unknown"} {
		t.Run(pages, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			m.sh(`mkdir papers/C/X.paper`)
			if pages == "known" {
				m.sh(`ls papers/C/X.paper/pages`)
			}
			paper := number(m.sh(`cat papers/C/X.paper/id`))
			m.proxy.Down()
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			m.attempted("papers/C/X.pdf")
			require.NoError(t, m.client().DeletePaper(t.Context(), paper))
			m.proxy.Up()
			m.sh(`"$PAPERFS" retry .`)
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
			assert.Contains(t, m.sh(`"$PAPERFS" why .paperfs/failed/X.pdf`), "the paper was deleted on the service")
			m.sh(`echo > .paperfs/refresh`)
			m.eventually(`test ! -e papers/C/X.paper`)
			m.sh(`set -e; mv .paperfs/failed/X.pdf papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
		})
	}
}

// TestAQueuedPDFWhoseCategoryOthersDelete checks that the PDF is in failed/ for that reason, whether the mount knows of the
// deletion or only the service does.
func TestAQueuedPDFWhoseCategoryOthersDelete(t *testing.T) {
	t.Parallel()
	for knows, known := range map[string]bool{"the service knows": false, "the mount knows": true} {
		t.Run(knows, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			category := number(m.sh(`"$PAPERFS" stat --json papers/C | sed -n 's/.*"id": \([0-9]*\).*/\1/p'`))
			m.proxy.Down()
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			m.attempted("papers/C/X.pdf")
			require.NoError(t, m.client().DeletePaper(t.Context(), category))
			m.proxy.Up()
			if known {
				m.eventually(`"$PAPERFS" refresh .`)
			}
			m.sh(`"$PAPERFS" retry .`)
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
			assert.Contains(t, m.sh(`"$PAPERFS" why .paperfs/failed/X.pdf`), "the category papers/C was deleted on the service")
		})
	}
}

// TestAQueuedPDFWhoseCategoryTheOldTreeLacks checks that a mount which begins with the tree of before a kill asks the service
// before it says that the category was deleted.
func TestAQueuedPDFWhoseCategoryTheOldTreeLacks(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`ls papers`) // which waits for the tree
	m.stop()          // which saves it
	saved := testrun.Must(filepath.Glob(filepath.Join(m.home, "state/paperfs/*/catalogue/tree")))(t)
	require.Len(t, saved, 1)
	tree := testrun.Must(os.ReadFile(saved[0]))(t)
	m.start("--write-back")
	m.sh(`mkdir papers/C`)
	m.proxy.Down()
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.crash()
	require.NoError(t, os.WriteFile(saved[0], tree, 0o600))
	release := m.proxy.Freeze(remote.GetAllPapers)
	m.proxy.Up()
	m.start("--write-back")
	until(t, "the mount has looked for the category", func() bool {
		return m.proxy.Count(remote.GetPaperUrlFromID) > 0 || m.sh(`ls .paperfs/failed`) != ""
	})
	release()
	m.eventually(`test -d papers/C`)
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test -z "$(ls .paperfs/failed)"`)
}

// TestRemovingAQueuedPDFWhosePaperIsBeingMade checks that the mount reports the paper that stays:
// it deletes none by itself.
func TestRemovingAQueuedPDFWhosePaperIsBeingMade(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	held, release := m.proxy.FreezeAnswer(remote.CreatePaper)
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	<-held
	m.sh(`rm papers/C/X.pdf`)
	release()
	m.eventually(`grep -q "X.paper may be on the service, without pages" .paperfs/errors`)
	m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; "$PAPERFS" why papers/C/X.pdf | grep -q "rmdir"`)
}

// TestDeletingAPaperWhosePDFIsBeingSent checks that the PDF leaves the queue for good, and that no
// failure sends the user to .paperfs/failed for it.
func TestDeletingAPaperWhosePDFIsBeingSent(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back", "--allow-delete", "--transfers=1")
	m.sh(`mkdir papers/C/X.paper papers/D/Y.paper`)
	m.proxy.Reset()
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.waitForRequest(remote.ProcessPDF)
	m.sh(`rmdir papers/C/X.paper`)
	release()
	m.sh(`set -e; cp "$HOME/two.pdf" papers/D/Y.pdf; "$PAPERFS" wait papers/D/Y.paper`) // sent after the other attempt
	assert.Empty(t, m.sh(`cat .paperfs/errors; ls .paperfs/failed`))
}
