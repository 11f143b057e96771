package mounttest

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAQueuedPDFReplacesNoPagesOfOthers checks that a queued PDF does not replace pages that others
// put into the paper while it waited, if the earlier pages were known: the service does not return
// a PDF. The queued PDF is in failed/, and copying it again replaces the pages.
func TestAQueuedPDFReplacesNoPagesOfOthers(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"retry", "killed", "source", "renamed"} {
		t.Run(how, func(t *testing.T) {
			if how == "retry" || how == "renamed" {
				testrun.Long(t, "queues the PDF in another way")
			}
			t.Parallel()
			m := newDrops(t, "--write-back")
			m.sh(`set -e; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/001`)
			paper := number(m.sh(`cat papers/C/X.paper/id`))
			m.proxy.Down()
			place := "papers/C/X.pdf"
			if how == "source" {
				place = "papers/C/X.paper/source.pdf"
			}
			if how == "renamed" { // like rsync
				m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf.part; mv papers/C/X.pdf.part ` + place)
			} else {
				m.sh(`cp "$HOME/two.pdf" ` + place)
			}
			m.attempted(place)
			m.colleaguesPDF(t, paper, 3)
			if how == "killed" {
				m.crash()
			}
			m.proxy.Reset()
			m.proxy.Up()
			if how == "killed" {
				m.start("--write-back")
				m.eventually(`test -d papers/C`)
			}
			m.sh(`"$PAPERFS" retry .`)
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/$(basename ` + place + `)`)
			assert.Zero(t, m.proxy.Count(remote.ProcessPDF))
			assert.Equal(t, 1, m.proxy.Count(remote.GetPaperStructure))
			assert.Contains(t, m.sh(`set -e; "$PAPERFS" why `+place), "somebody else has put a PDF there")
			m.sh(`test -e papers/C/X.paper/pages/003`)
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+place), "is not replaced")
			m.sh(`set -e; mv .paperfs/failed/$(basename ` + place + `) ` + place + `; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
		})
	}
}

// TestAQueuedPDFThatWaited checks that a PDF that waited is sent if no one has changed its paper,
// and that a PDF that need not wait costs one request.
func TestAQueuedPDFThatWaited(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`set -e; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
	m.proxy.Reset()
	m.sh(`set -e; cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait .`)
	assert.Equal(t, []string{"ProcessPDF"}, m.asked())
	m.sh(`set -e; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.proxy.Down()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.attempted("papers/C/X.pdf")
	m.sh(`cp "$HOME/three.pdf" papers/C/X.pdf`)
	m.proxy.Up()
	m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/003; cmp "$HOME/three.pdf" papers/C/X.pdf`)
}

// TestAMomentWithoutAnAnswer checks that a short outage, such as a restart of the service, costs
// only the repeated request, and that no failure is reported.
func TestAMomentWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/001`)
	first := make(chan bool, 1)
	var repeated atomic.Pointer[time.Time] // when the last attempt that was not refused began
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		select {
		case <-first:
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		default:
			repeated.Store(new(time.Now()))
			return false
		}
	})
	before := ""
	// On a busy machine the repeat may come too late to count as a short outage. Then the next PDF
	// tries.
	for brief, n := false, 0; !brief; n++ {
		require.Less(t, n, 20, "no outage was short enough")
		before = m.sh(`"$PAPERFS" wait papers/C/X.paper > /dev/null; cat .paperfs/errors`)
		m.put("next.pdf", pdfOf(t, 2+n, 0))
		m.proxy.Reset()
		first <- true
		copied := time.Now()
		m.sh(`cp "$HOME/next.pdf" papers/C/X.pdf; "$PAPERFS" wait .`)
		brief = repeated.Load().Sub(copied) <= 3*time.Second
	}
	assert.Equal(t, []string{"ProcessPDF", "GetProcessingPapers", "ProcessPDF"}, m.asked())
	assert.Equal(t, before, m.sh(`cat .paperfs/errors`))
}

// TestAColleaguesPDFInTheMiddle checks that a queued PDF does not replace a colleague's that came
// during its first attempt: after a kill during the upload, or before the attempt is repeated.
func TestAColleaguesPDFInTheMiddle(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"killed", "repeated"} {
		t.Run(how, func(t *testing.T) {
			m := newDrops(t, "--write-back")
			m.put("large.pdf", pdfOf(t, 2, 32<<20)) // more than the kernel buffers while no program reads
			m.sh(`set -e; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/001`)
			paper := number(m.sh(`cat papers/C/X.paper/id`))
			held, release, first := make(chan bool), make(chan bool), make(chan bool, 1)
			first <- true
			m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, _ *http.Request) bool {
				select {
				case <-first:
				default:
					return false
				}
				close(held)
				<-release
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			})
			pdf := map[string]string{"killed": "large.pdf", "repeated": "two.pdf"}[how]
			copied := time.Now()
			m.sh(`cp "$HOME/` + pdf + `" papers/C/X.pdf`)
			<-held
			m.colleaguesPDF(t, paper, 3)
			time.Sleep(time.Until(copied.Add(4 * time.Second))) // longer than what counts as right after the close
			if how == "killed" {
				m.crash()
			}
			close(release)
			if how == "killed" {
				m.start("--write-back")
				m.eventually(`test -d papers/C`)
			}
			m.sh(`"$PAPERFS" retry . || :`)
			m.eventually(`cmp "$HOME/` + pdf + `" .paperfs/failed/X.pdf`)
			assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf`), "somebody else has put a PDF there")
			m.sh(`test -e papers/C/X.paper/pages/003`)
		})
	}
}

// TestAPDFAfterOneThatMayBeAtTheService checks that the mount does not mistake an older PDF, which the service has without an
// answer, for a colleague's, where a program has removed it, or renamed the next one over it.
func TestAPDFAfterOneThatMayBeAtTheService(t *testing.T) {
	t.Parallel()
	for how, script := range map[string]string{
		"removed": `rm papers/C/X.pdf; cp "$HOME/three.pdf" papers/C/X.pdf`,
		"renamed": `cp "$HOME/three.pdf" papers/C/X.pdf.part; mv papers/C/X.pdf.part papers/C/X.pdf`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			m.put("three.pdf", pdfOf(t, 3, 0))
			m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/001`)
			paper := number(m.sh(`cat papers/C/X.paper/id`))
			held, release := m.proxy.FreezeAnswer(remote.ProcessPDF)
			m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			<-held
			m.proxy.Down()
			release()
			m.attempted("papers/C/X.pdf")
			m.sh(script + `; "$PAPERFS" retry . || :`)
			m.attempted("papers/C/X.pdf")
			m.waitForPages(paper, 2)
			m.proxy.Up()
			m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/003; cmp "$HOME/three.pdf" papers/C/X.pdf`)
		})
	}
}

// waitForPages waits until the paper on the service has this many pages.
func (m *mounted) waitForPages(paper int64, count int) {
	m.t.Helper()
	c := m.client()
	until(m.t, fmt.Sprintf("the paper has %d pages on the service", count), func() bool {
		structure, err := c.GetPaperStructure(m.t.Context(), paper, false)
		pages, _ := remote.ParseStructure(structure)
		return err == nil && len(pages) == count
	})
}
