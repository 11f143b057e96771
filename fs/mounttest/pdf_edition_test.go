package mounttest

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
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
