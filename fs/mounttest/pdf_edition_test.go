package mounttest

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPDFReplacesNoEditionThatTheMountDoesNotShow checks a paper into which a colleague has put another PDF since the
// tree was read: the close fails, what the colleague has put there stays, and the next copy replaces it.
func TestAPDFReplacesNoEditionThatTheMountDoesNotShow(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	paper := m.colleague(t, m.idOf("papers/C"))
	for _, way := range []struct{ copied, kept string }{
		{`cp "$HOME/two.pdf" papers/C/X.pdf`, `.paperfs/failed/X.pdf`},
		{`cat "$HOME/two.pdf" > papers/C/X.paper/source.pdf`, `.paperfs/failed/source.pdf`},
		{`cp "$HOME/two.pdf" papers/C/.X.pdf.tmp; mv papers/C/.X.pdf.tmp papers/C/X.pdf`, `papers/C/.X.pdf.tmp`},
	} {
		copied := way.copied
		m.sh(fetched + `test -e papers/C/X.paper`)
		m.colleaguesPDF(t, paper, 4)
		m.proxy.Reset()
		assert.Regexp(t, "Stale|busy", m.fails(copied), copied)
		assert.Equal(t, []string{"ProcessPDF", "GetAllPapers"}, m.asked(), copied)
		assert.Contains(t, m.sh(`tail -1 .paperfs/errors`), "somebody else has changed the paper", copied)
		m.eventually(`cmp "$HOME/two.pdf" ` + way.kept)
		m.sh(copied + `; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
		m.sh(`rm -f .paperfs/failed/*`)
	}
}

// TestAQueuedPDFReplacesNoEditionThatCameLater checks the same for the queue.
func TestAQueuedPDFReplacesNoEditionThatCameLater(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		m := newDrops(t, "--write-back")
		paper := m.colleague(t, m.idOf("papers/C"))
		m.sh(fetched + `test -e papers/C/X.paper`)
		m.unavailable(remote.ProcessPDF)
		m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
		m.attempted("papers/C/X.pdf")
		if killed {
			m.crash()
		}
		m.colleaguesPDF(t, paper, 4)
		m.proxy.Heal()
		if killed {
			m.start("--write-back")
		}
		m.sh(`"$PAPERFS" retry . || true`)
		m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/*.pdf`)
		m.sh(fetched)
		m.eventually(`test -e papers/C/X.paper/pages/004`)
		assert.Contains(t, m.fails(`"$PAPERFS" retry papers/C/X.pdf`), "so it is not replaced")
		m.sh(`test -e papers/C/X.paper/pages/004; "$PAPERFS" retry --over papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -z "$(ls .paperfs/failed)"`)
		m.eventually(`test ! -e papers/C/X.paper/pages/004; cmp "$HOME/two.pdf" papers/C/X.pdf`)
	}
}

// TestAQueuedPDFThatAKillCuts checks the same where the mount is killed when all of the PDF is sent. What the service has of it is
// no conflict.
func TestAQueuedPDFThatAKillCuts(t *testing.T) {
	t.Parallel()
	for _, arrived := range []bool{false, true} {
		m := newDrops(t, "--write-back")
		paper := m.colleague(t, m.idOf("papers/C"))
		m.sh(fetched + `test -e papers/C/X.paper`)
		m.proxy.Reset()
		if arrived {
			held, _ := m.proxy.FreezeAnswer(remote.ProcessPDF)
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			<-held
		} else {
			sent := make(chan struct{})
			m.proxy.Answer(remote.ProcessPDF, func(_ http.ResponseWriter, r *http.Request) bool {
				_, _ = io.Copy(io.Discard, r.Body)
				close(sent)
				<-r.Context().Done()
				return true
			})
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			<-sent
		}
		m.crash()
		m.proxy.Heal()
		if !arrived {
			m.colleaguesPDF(t, paper, 4)
		}
		m.start("--write-back")
		if arrived {
			m.sh(`"$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
		} else {
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/*.pdf`)
			m.sh(fetched)
			m.eventually(`test -e papers/C/X.paper/pages/004`)
		}
	}
}

// TestAQueuedPDFWhoseAnswerIsLost checks the same where the connection breaks each time when all of the PDF is sent, and the
// mount lives and sends it again.
func TestAQueuedPDFWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	for _, arrived := range []bool{false, true} {
		m := newDrops(t, "--write-back")
		paper := m.colleague(t, m.idOf("papers/C"))
		m.sh(fetched + `test -e papers/C/X.paper`)
		if arrived {
			m.proxy.Cut(remote.ProcessPDF, 5, 0)
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
			continue
		}
		m.proxy.Answer(remote.ProcessPDF, func(_ http.ResponseWriter, r *http.Request) bool {
			_, _ = io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		})
		m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
		m.attempted("papers/C/X.pdf")
		m.colleaguesPDF(t, paper, 4)
		m.proxy.Heal()
		m.sh(`"$PAPERFS" retry . || true`)
		m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/*.pdf`)
		m.sh(fetched)
		m.eventually(`test -e papers/C/X.paper/pages/004`)
	}
}

// TestOurOwnChangesAreNoColleagues checks PDFs of one mount after each other, with what else makes a new edition.
func TestOurOwnChangesAreNoColleagues(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--allow-delete")
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; ` + fetched + `"$PAPERFS" wait papers/C/X.paper`)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; ` + fetched)
	m.sh(`cp "$HOME/one.pdf" papers/C/X.paper/source.pdf; ` + fetched + `"$PAPERFS" wait papers/C/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.sh(`"$PAPERFS" wait papers/C/X.paper; ` + fetched + `mv papers/C/X.paper papers/D/Y.paper; cp "$HOME/one.pdf" papers/D/Y.pdf; "$PAPERFS" wait papers/D/Y.paper`)
	m.remount()
	m.sh(`cp "$HOME/two.pdf" papers/D/Y.pdf; "$PAPERFS" wait papers/D/Y.paper; ` + fetched + `exec 3<> papers/D/Y.paper/source.pdf; cat "$HOME/one.pdf" >&3; true >&3`)
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

// TestOnePDFHasItsOwnOptions sends PDFs with options of one paper: a part of the pages, and the password of an encrypted PDF. They are
// there after a remount, and the PDF that the paper has is processed again when they change.
func TestOnePDFHasItsOwnOptions(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "qpdf")
	const mounts = `<options><import-bookmarks>true</import-bookmarks><preserve-index>false</preserve-index></options>`
	m := newMount(t, "--pdf-options="+mounts)
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/A.paper papers/B.paper; qpdf --encrypt spring spring 256 -- "$HOME/three.pdf" "$HOME/secret.pdf"`)
	send := func(pdf string) string {
		return m.sh(`cp "$HOME/` + pdf + `" papers/A.paper/source.pdf; "$PAPERFS" wait papers/A.paper 2> /dev/null || :; ls papers/A.paper/pages | wc -l`)
	}
	require.Equal(t, mounts, m.sh(`cat papers/A.paper/pdf-options`))
	require.Equal(t, "600", m.sh(`stat -c %a papers/A.paper/pdf-options`))
	require.NotContains(t, m.sh(`ls -a papers/A.paper`), "pdf-options")
	require.Equal(t, "3", send("three.pdf"))
	require.Empty(t, m.cost(`echo '<options><all-pages>false</all-pages><pages-from>2</pages-from><pages-to>3</pages-to></options>' > papers/A.paper/pdf-options`))
	require.Equal(t, "2", send("three.pdf"), "the same PDF with other options")
	m.remount("--pdf-options=" + mounts)
	require.Equal(t, "2", send("secret.pdf"), "it is not processed without its password")
	require.Contains(t, m.sh(`cat papers/A.paper/job`), string(remote.JobFailed))
	m.sh(`printf '<options>\n<password>spring</password>\n</options>\n' > papers/A.paper/pdf-options`)
	require.Equal(t, "3", send("secret.pdf"))
	require.Equal(t, mounts, m.sh(`cat papers/B.paper/pdf-options`), "another paper")
	for _, wrong := range []string{"<options>", "spring", "<option/>"} {
		m.fails(`cp /dev/stdin papers/A.paper/pdf-options <<< '` + wrong + `'`)
		require.Contains(t, m.sh(`"$PAPERFS" why papers/A.paper/pdf-options`), "give an XML document with the root options")
	}
	require.Contains(t, m.sh(`cat papers/A.paper/pdf-options`), "spring")
	m.sh(`echo > papers/A.paper/pdf-options`)
	require.Equal(t, mounts, m.sh(`cat papers/A.paper/pdf-options`))
}
