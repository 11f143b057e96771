package mounttest

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestAPDFFromAfterTheRestoredBackup checks that a PDF which was sent after a backup, that is restored, is not shown as that of
// another paper with the same id, or of its paper as it was before; nor is a setting or preview link from after the backup. A
// mount that is there meanwhile, or not, sets the PDF aside.
func TestAPDFFromAfterTheRestoredBackup(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{false, true} {
		t.Run(map[bool]string{false: "there", true: "away"}[away], func(t *testing.T) {
			t.Parallel()
			old := []string{"--tree-ttl", "10h", "--document-ttl", "10h"}
			m := newMount(t, old...)
			servicetest.In(t, m.service.Data).Embedded(t, "the backups of nodes are those of PostgreSQL")
			m.told()
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.put("two.pdf", pdfOf(t, 2, 0))
			m.sh(`cp "$HOME/one.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper`)
			backup := filepath.Join(t.TempDir(), "backup")
			testrun.Must(m.service.Admin().Backup(t.Context(), backup, nil))(t)
			m.sh(`for p in X Y; do cp "$HOME/two.pdf" papers/$p.pdf; "$PAPERFS" wait papers/$p.paper; done
				echo 60 > papers/Y.paper/preview; echo true > papers/X.paper/settings/autoMaximize; test "$(cat papers/X.paper/settings/autoMaximize)" = true`)
			paper := number(m.sh(`cat papers/Y.paper/id`))
			if away {
				m.stop()
			}
			m.service.Stop()
			m.service = servicetest.StartIn(t, backup)
			c := m.client()
			root, _ := testrun.Must2(c.GetPaperIDFromUrl(t.Context(), "/"))(t)
			again := testrun.Must(c.CreatePaper(t.Context(), remote.Node{ID: root, Kind: remote.CategoryNode, URL: "/"}, "Z", "z"))(t)
			require.Equal(t, paper, again)
			m.colleaguesPDF(t, paper, 3)
			m.proxy.To(m.service.URL)
			if away {
				m.start(old...)
			}
			m.eventually(`test -d papers/Z.paper && ! cat papers/X.paper/source.pdf && ! cat papers/Z.paper/source.pdf &&
				test -z "$(cat papers/Z.paper/preview)" && test "$(cat papers/X.paper/settings/autoMaximize)" = false`)
			require.Contains(t, m.fails(`cat papers/Z.paper/source.pdf`), "not supported")
			m.sh(`set -e; test "$(ls .paperfs/failed | wc -l)" = 2; for f in .paperfs/failed/*; do cmp "$HOME/two.pdf" "$f"; "$PAPERFS" why "$f" | grep -q backup; done`)
		})
	}
}

// TestAPaperThatGetsAUsedIDAfterTheRestore checks that a paper, or category, which is made before the mount has heard that a
// backup was restored, is there at once, also if it gets the id of another one from after the backup. Nothing of that one is
// the new paper's; its PDF is set aside under its name.
func TestAPaperThatGetsAUsedIDAfterTheRestore(t *testing.T) {
	t.Parallel()
	for _, made := range []string{"paper", "category"} {
		t.Run(made, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--tree-ttl", "10h")
			servicetest.In(t, m.service.Data).Embedded(t, "the backups of nodes are those of PostgreSQL")
			m.told()
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.put("two.pdf", pdfOf(t, 2, 0))
			backup := filepath.Join(t.TempDir(), "backup")
			testrun.Must(m.service.Admin().Backup(t.Context(), backup, nil))(t)
			m.sh(`set -e; cp "$HOME/one.pdf" papers/Y.pdf; "$PAPERFS" wait papers/Y.paper; echo 60 > papers/Y.paper/preview`)
			before := m.sh(`cat papers/Y.paper/id`)
			m.service.Stop()
			m.service = servicetest.StartIn(t, backup)
			m.proxy.Fail(remote.Wait, -1, http.StatusGatewayTimeout)
			m.proxy.To(m.service.URL)
			if made == "category" {
				m.sh(`mkdir papers/Z`)
				m.eventually(`test ! -e papers/Y.paper`) // the kernel is told in the background
				require.Equal(t, before, m.sh(`cat papers/Z/.category/id`))
				return
			}
			m.sh(`cp "$HOME/two.pdf" papers/Z.pdf`)
			m.eventually(`test ! -e papers/Y.paper`)
			m.sh(`set -e; test -z "$(cat papers/Z.paper/preview)"; "$PAPERFS" wait papers/Z.paper`)
			require.Equal(t, before, m.sh(`cat papers/Z.paper/id`))
			m.sh(`set -e; cmp "$HOME/two.pdf" papers/Z.paper/source.pdf; cmp "$HOME/one.pdf" .paperfs/failed/*`)
			why := m.sh(`"$PAPERFS" why .paperfs/failed/*`)
			require.Contains(t, why, "backup")
			require.Contains(t, why, "papers/Y.pdf")
			m.sh(`set -e; "$PAPERFS" retry .paperfs/failed/*; "$PAPERFS" wait papers/Y.paper; cmp "$HOME/one.pdf" papers/Y.paper/source.pdf; cmp "$HOME/two.pdf" papers/Z.paper/source.pdf`)
		})
	}
}

// TestNewPDFsFromAfterTheRestoredBackup checks that papers which were made by a PDF after a backup that is restored come back by
// paperfs retry: their PDFs are set aside with the category and the name that they had.
func TestNewPDFsFromAfterTheRestoredBackup(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"there", "away", "read before the news"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			servicetest.In(t, m.service.Data).Embedded(t, "the backups of nodes are those of PostgreSQL")
			m.told()
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/C`)
			backup := filepath.Join(t.TempDir(), "backup")
			testrun.Must(m.service.Admin().Backup(t.Context(), backup, nil))(t)
			m.sh(`for p in X Y Z; do cp "$HOME/one.pdf" papers/C/$p.pdf; echo $p >> "$HOME/one.pdf"; "$PAPERFS" wait papers/C/$p.paper; done`)
			if name == "away" {
				m.stop()
			}
			m.service.Stop()
			m.service = servicetest.StartIn(t, backup)
			m.proxy.To(m.service.URL)
			switch name {
			case "away":
				m.start()
			case "read before the news":
				m.sh(`"$PAPERFS" refresh papers`)
			}
			m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3 && test ! -e papers/C/X.paper`)
			m.sh(`set -e; "$PAPERFS" retry .paperfs/failed; test -z "$(ls .paperfs/failed)"
				for p in X Y Z; do "$PAPERFS" wait papers/C/$p.paper; test -e papers/C/$p.paper/pages/001; done`)
		})
	}
}
