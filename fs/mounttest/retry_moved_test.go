package mounttest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

const noRoom = `<result><code>ERROR</code><message>No room.</message></result>`

// TestRetryFollowsThePaper checks that a refused PDF goes to its paper, or into its category, wherever that is
// now and by whichever name a user asks, and that nothing makes a second paper.
func TestRetryFollowsThePaper(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refused *remote.Operation
		to      string // by which name of its PDF the content came
		move    string
		now     string
		retry   string
	}{
		"a renamed paper":            {remote.ProcessPDF, "X.pdf", `mv papers/C/X.paper papers/C/Y.paper`, "papers/C/Y.pdf", ".paperfs/failed"},
		"a moved paper":              {remote.ProcessPDF, "X.paper/source.pdf", `mv papers/C/X.paper papers/D/Y.paper`, "papers/D/Y.paper/source.pdf", "papers/D/Y.pdf"},
		"a renamed category":         {remote.ProcessPDF, "X.pdf", `mv papers/C papers/E`, "papers/E/X.pdf", "papers/E/X.paper/source.pdf"},
		"a category without a paper": {remote.CreatePaper, "X.pdf", `mv papers/C papers/E`, "papers/E/X.pdf", "papers/E/X.pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t)
			if c.refused == remote.ProcessPDF {
				m.sh(`mkdir papers/C/X.paper`)
			}
			m.refuse(c.refused, noRoom)
			m.fails(`cp "$HOME/two.pdf" papers/C/` + c.to)
			m.eventually(`test -e .paperfs/failed/` + filepath.Base(c.to))
			m.sh(c.move)
			assert.Contains(t, m.sh(`"$PAPERFS" why `+c.now), "No room.")
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+c.retry), "input/output error")
			m.proxy.Heal()
			for range 2 {
				assert.Contains(t, m.sh(`"$PAPERFS" status --json .`), `"place": "`+c.now+`"`)
				assert.Contains(t, m.sh(`cat .paperfs/uploads`), ` bytes of "`+c.now+`" since `)
				m.remount()
			}
			m.eventually(`test -d papers/D`)
			m.proxy.Reset()
			m.sh(`"$PAPERFS" retry ` + c.retry)
			assert.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
			assert.Empty(t, m.sh(`ls .paperfs/failed`))
			assert.Len(t, m.papersAt(t), 1)
			m.sh(`cmp "$HOME/two.pdf" ` + c.now)
		})
	}
}

// TestRetryOfAPDFWhosePaperIsGone checks that nothing is sent, that the words say so, and that the command in them
// makes a new paper.
func TestRetryOfAPDFWhosePaperIsGone(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--allow-delete")
	m.sh(`mkdir papers/C/X.paper`)
	m.refuse(remote.ProcessPDF, noRoom)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`test -e .paperfs/failed/X.pdf`)
	m.proxy.Heal()
	m.sh(`rmdir papers/C/X.paper; mv papers/C papers/E`)
	for _, what := range []string{".paperfs/failed/X.pdf", "papers/E/X.pdf", "--over papers/E/X.pdf", ".paperfs/failed"} {
		assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), "a paper or category that is not here any more: it was deleted, or moved out of this mount", what)
	}
	assert.Empty(t, m.papersAt(t))
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "X.pdf")
	command := m.sh(`{ "$PAPERFS" retry papers/E/X.pdf 2>&1 || :; } | sed 's/.* run: //'`)
	m.sh(command + `; test -d papers/E/NAME.paper; test -z "$(ls .paperfs/failed)"`)
}

// TestRetryIntoADirectoryThatIsGone checks that retry says so of a file whose directory has another name by now, and of a
// PDF that an older paperfs kept without its category, and that the command in its words sends the content.
func TestRetryIntoADirectoryThatIsGone(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`mkdir -p media/d/e; echo a > media/d/e/a; "$PAPERFS" wait .`)
	m.proxy.Down()
	m.sh(`set -e; echo b > media/d/e/b; cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" discard media/d/e/b; "$PAPERFS" discard papers/C/X.pdf`)
	m.proxy.Up()
	m.sh(`"$PAPERFS" retry .; mv media/d/e media/d/f; mv papers/C papers/E`)
	m.stop()
	testrun.Must(m.database().Exec("UPDATE media_failed SET dir = 0"))(t)
	m.start("--write-back")
	m.eventually(`test -d papers/E`)
	for place, dir := range map[string]string{"media/d/e/b": "media/d/e", "papers/C/X.pdf": "papers/C"} {
		said := m.fails(`"$PAPERFS" retry ` + place)
		assert.Contains(t, said, "/"+dir+" is not here any more: it was renamed, moved or deleted since ")
		_, command, _ := strings.Cut(strings.TrimSpace(said), ", run: ")
		m.sh(command)
	}
	m.sh(`set -e; "$PAPERFS" wait .; cat media/d/b; "$PAPERFS" wait papers/NAME.paper; test -z "$(ls .paperfs/failed)"`)
}

// TestAFailedPDFHidesNoPDFOfAnotherPaper checks that a refused PDF stays when a new paper that has the name which
// the moved one had refuses another, and that each goes to its own.
func TestAFailedPDFHidesNoPDFOfAnotherPaper(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`mkdir papers/C/X.paper`)
	m.refuse(remote.ProcessPDF, noRoom)
	m.fails(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.eventually(`test -e .paperfs/failed/X.pdf`)
	m.sh(`mv papers/C/X.paper papers/D/X.paper; mkdir papers/C/X.paper`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	m.crash()
	m.start()
	m.eventually(`test -d papers/D/X.paper`)
	m.sh(`set -e; "$PAPERFS" retry .paperfs/failed; cmp "$HOME/one.pdf" papers/D/X.pdf; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
	assert.Len(t, m.papersAt(t), 2)
}

// TestAPathIsThatOfThePaperThatIsThere checks that why, retry and discard by a path leave alone a refused PDF of an earlier
// paper of that name, which is gone, and that discard takes it by the path in uploads.
func TestAPathIsThatOfThePaperThatIsThere(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--allow-delete")
	m.sh(`mkdir papers/C/X.paper`)
	m.refuse(remote.ProcessPDF, noRoom)
	m.fails(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.eventually(`cmp "$HOME/one.pdf" .paperfs/failed/X.pdf`)
	m.sh(`rmdir papers/C/X.paper; mkdir papers/C/X.paper`)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		assert.Regexp(t, "there is no unpublished content, except of a deleted paper .*/.paperfs/failed/X.pdf", m.fails(`"$PAPERFS" discard papers/C/`+name), name)
	}
	m.sh(`set -e; shown=$(sed -n 's/^failed "\([^"]*\)".*/\1/p' .paperfs/uploads); cmp "$HOME/one.pdf" "$shown"
		"$PAPERFS" discard "$shown"; test -z "$(cat .paperfs/uploads)"; rmdir papers/C/X.paper; mkdir papers/C/X.paper`)
	m.fails(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.eventually(`cmp "$HOME/one.pdf" .paperfs/failed/X.pdf`)
	m.sh(`rmdir papers/C/X.paper; mkdir papers/C/X.paper`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.sh(`set -e; two=$("$PAPERFS" why papers/C/X.pdf | sed -n 's/.*its content is in //p'); cmp "$HOME/two.pdf" "$two"
		"$PAPERFS" discard papers/C/X.paper/source.pdf; ! test -e "$two"; cmp "$HOME/one.pdf" .paperfs/failed/X.pdf`)
	m.proxy.Heal()
	assert.Contains(t, m.fails(`"$PAPERFS" retry --over papers/C/X.pdf`), "for a paper or category that is not here any more")
}

// TestASentPDFOvertakesNoPDFOfAnotherPaper checks that a PDF of a new paper, which has the name that another one had,
// keeps nothing of the other from being sent.
func TestASentPDFOvertakesNoPDFOfAnotherPaper(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`mkdir papers/C/X.paper`)
	m.refuse(remote.ProcessPDF, noRoom)
	m.fails(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.eventually(`test -e .paperfs/failed/X.pdf`)
	m.proxy.Heal()
	m.sh(`set -e; mv papers/C/X.paper papers/D/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" retry papers/D/X.pdf; cmp "$HOME/one.pdf" papers/D/X.pdf`)
}

// TestAQueuedPDFIsShownWhereItsPaperIs checks a paper that others rename while its PDF waits: status, uploads, why and
// discard know the new place.
func TestAQueuedPDFIsShownWhereItsPaperIs(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`mkdir papers/C/X.paper`)
	m.unavailable(remote.ProcessPDF)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.attempted("papers/C/X.pdf")
	m.sh(`mv papers/C/X.paper papers/C/Y.paper; "$PAPERFS" retry .`)
	m.attempted("papers/C/Y.pdf")
	assert.Contains(t, m.sh(`"$PAPERFS" status --json .`), `"place": "papers/C/Y.pdf"`)
	m.sh(`"$PAPERFS" discard papers/C/Y.pdf`)
	m.eventually(`test -e .paperfs/failed/X.pdf`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/Y.pdf`), "it was removed from the queue")
}

// papersAt returns the papers at the service, by id.
func (m *mounted) papersAt(t *testing.T) map[int64]string {
	t.Helper()
	papers, c := map[int64]string{}, m.client()
	require.NoError(t, c.GetAllPapers(t.Context(), m.status().Tree.RootID, func(n remote.Node) error {
		if n.Kind == remote.PaperNode {
			papers[n.ID] = n.Name
		}
		return nil
	}))
	return papers
}

// TestRetryTakesNoOlderPDF checks that a failed PDF does not replace one that was sent to its paper
// later; mv does.
func TestRetryTakesNoOlderPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir -p papers/A/X.paper`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/A/X.paper/source.pdf`)
	m.eventually(`test -e .paperfs/failed/source.pdf`)
	m.proxy.Heal()
	m.sh(`cp "$HOME/three.pdf" papers/A/X.paper/source.pdf`)
	for range 2 {
		for _, what := range []string{"papers/A/X.paper/source.pdf", ".paperfs/failed"} {
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), "has changed since this content failed")
		}
		m.sh(`"$PAPERFS" wait papers/A/X.paper && cmp "$HOME/three.pdf" papers/A/X.paper/source.pdf`)
		m.crash()
		m.start()
	}
	m.sh(`mv .paperfs/failed/source.pdf papers/A/X.paper/source.pdf && cmp "$HOME/two.pdf" papers/A/X.paper/source.pdf`)
}

// TestRetryTakesNoOtherPaper checks that retry does not send a PDF to another paper of the same
// name, which a colleague has created since, or which replaced a deleted one.
func TestRetryTakesNoOtherPaper(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--allow-delete")
	category := m.idOf("papers/C")
	m.refuse(remote.CreatePaper, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.proxy.Heal()
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/Y.pdf`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	m.colleague(t, category)
	m.sh(`set -e; rmdir papers/C/Y.paper; mkdir papers/C/Y.paper; echo > .paperfs/refresh`)
	m.eventually(`test -d papers/C/X.paper`)
	m.proxy.Reset()
	for what, says := range map[string]string{"papers/C/X.pdf": "so it is not replaced", "papers/C/X.paper/source.pdf": "so it is not replaced",
		"papers/C/Y.pdf": "not here any more", ".paperfs/failed": "so it is not replaced"} {
		assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), says, what)
	}
	assert.Zero(t, m.proxy.Count(remote.ProcessPDF))
	m.sh(`set -e; mv .paperfs/failed/X.pdf papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
}

// TestRetryTakesNoSuffixOffAUsersName checks that a failed file whose name ends as those of older and
// damaged PDFs do is sent under that name, and that retry says what it replaces.
func TestRetryTakesNoSuffixOffAUsersName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`for f in Prices "Prices (older)"; do echo one > "media/$f"; done`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`for f in "Prices (older)" "Prices (damaged)"; do echo two > "media/$f"; done; false`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	assert.Empty(t, m.sh(`"$PAPERFS" retry "media/Prices (damaged)"`), "it replaces nothing")
	assert.Contains(t, m.sh(`"$PAPERFS" retry "media/Prices (older)"`), m.dir+"/media/Prices (older) is replaced")
	assert.Equal(t, map[string]string{"Prices": sum("one\n"), "Prices (older)": sum("two\n"), "Prices (damaged)": sum("two\n")}, m.atService())
}

// TestFailedFilesWithTheLongestName checks that two failed files with one name of 255 bytes can both
// be listed, read and sent again.
func TestFailedFilesWithTheLongestName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	name := "x" + strings.Repeat("é", 127)
	m.sh(`mkdir media/a media/b media/c`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`for d in a b c; do echo $d > media/$d/` + name + `; done; false`)
	m.eventually(`test "$(cat .paperfs/failed/* | sort | tr -d '\n')" = abc`)
	m.proxy.Heal()
	m.sh(`ls -l .paperfs/failed; f=$(cd .paperfs/failed; grep -lx b *); mv ".paperfs/failed/$f" media/b/` + name + `
		"$PAPERFS" retry .paperfs/failed; test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"a/" + name: sum("a\n"), "b/" + name: sum("b\n"), "c/" + name: sum("c\n")}, m.atService())
}
