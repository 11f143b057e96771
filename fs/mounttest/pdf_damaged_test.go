package mounttest

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestTheLastGoodPDFStays checks that the last good PDF remains the source.pdf of its paper,
// however many damaged ones follow, and whether or not a program checked their jobs. The last
// damaged one is in failed/.
func TestTheLastGoodPDFStays(t *testing.T) {
	t.Parallel()
	last := fmt.Sprint(times(3, 5)) // bad PDF
	for _, looks := range []bool{true, false} {
		t.Run(fmt.Sprint(looks), func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--cache-size", "1B")
			m.sh(`set -e; for i in $(seq ` + last + `); do printf '%%PDF-1.4\ngarbage %d' $i > "$HOME/bad$i.pdf"; done
				cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
			look := `:`
			if looks {
				look = `if "$PAPERFS" wait papers/C/X.paper 2> /dev/null; then exit 1; fi`
			}
			m.sh(`set -e; for i in $(seq ` + last + `); do until cp "$HOME/bad$i.pdf" papers/C/X.pdf 2> /dev/null; do rm -f .paperfs/failed/*; done; ` + look + `; done`)
			m.fails(`"$PAPERFS" wait papers/C/X.paper`)
			m.sh(`set -e; rm -f .paperfs/failed/X.pdf`) // left by a close that came while the previous PDF was being processed
			held := `set -e; cd papers/C; cmp "$HOME/two.pdf" X.pdf; cmp "$HOME/two.pdf" X.paper/source.pdf; cmp "$HOME/bad` + last + `.pdf" ../../.paperfs/failed/source.pdf`
			m.sh(held)
			m.remount("--cache-size", "1B")
			m.eventually(`test -d papers/C/X.paper`)
			m.sh(held)
			for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
				assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/`+name), "service could not make pages from the PDF", name)
			}
			m.sh(`set -e; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/one.pdf" papers/C/X.pdf`)
		})
	}
}

// TestADamagedPDFReplacesNothingUnsent checks that a damaged PDF does not replace content of a
// later failed close in failed/, which exists nowhere else.
func TestADamagedPDFReplacesNothingUnsent(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`set -e; mkdir papers/C/X.paper; cp "$HOME/one.pdf" papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper
		printf '%%PDF-1.4\ngarbage' > "$HOME/bad.pdf"; cp "$HOME/bad.pdf" papers/C/X.paper/source.pdf`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.paper/source.pdf`)
	m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
	m.proxy.Heal()
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	held := `set -e; cmp "$HOME/one.pdf" papers/C/X.paper/source.pdf; cmp "$HOME/two.pdf" .paperfs/failed/source.pdf
		cmp "$HOME/bad.pdf" ".paperfs/failed/source.pdf (damaged)"`
	m.sh(held)
	m.remount()
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(held)
	m.sh(`set -e; "$PAPERFS" retry papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.paper/source.pdf
		cmp "$HOME/bad.pdf" ".paperfs/failed/source.pdf (damaged)"; test "$(ls .paperfs/failed | wc -l)" = 1`)
	assert.Regexp(t, `paperfs retry --over .*\(damaged\)'?\s*$`, m.fails(`"$PAPERFS" retry ".paperfs/failed/source.pdf (damaged)"`))
}

// TestADamagedPDFThatIsTheFirst checks that a paper's first PDF, if damaged, remains the sent PDF,
// with the reason, across a remount.
func TestADamagedPDFThatIsTheFirst(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--cache-size", "1B")
	m.sh(`set -e; mkdir papers/C; for i in 1 2; do printf '%%PDF-1.4\ngarbage %d' $i > "$HOME/bad.pdf"; cp "$HOME/bad.pdf" "$HOME/moved.pdf"
		mv "$HOME/moved.pdf" papers/C/X.pdf; ! "$PAPERFS" wait papers/C/X.paper || exit 1; done`)
	held := `set -e; cmp "$HOME/bad.pdf" papers/C/X.pdf; cmp "$HOME/bad.pdf" papers/C/X.paper/source.pdf`
	m.sh(held)
	m.remount("--cache-size", "1B")
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(held)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/`+name), "service could not make pages from the PDF", name)
	}
}

// TestASentPDFThatCannotBeKept checks that a sent PDF that the cache cannot take is in failed/: the
// service does not return it.
func TestASentPDFThatCannotBeKept(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`set -e; rm -r "$HOME/cache"; : > "$HOME/cache"; cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
	assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/X.pdf`), "the service has this PDF")
	m.sh(`set -e; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
	m.fails(`"$PAPERFS" retry .paperfs/failed`)
}

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
