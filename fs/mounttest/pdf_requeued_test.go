package mounttest

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// newDrops is newMount and drops.
func newDrops(t *testing.T, args ...string) *mounted {
	t.Helper()
	m := newMount(t, args...)
	m.drops(t)
	return m
}

// drops puts two PDFs of different length in the home directory and creates papers/C and papers/D.
func (m *mounted) drops(t *testing.T) {
	t.Helper()
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/D`)
}

// TestAQueuedPDFThatWasSentBefore checks that a queued PDF is sent after a kill, although the same
// content was sent before: the service may have another PDF by then.
func TestAQueuedPDFThatWasSentBefore(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf; cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.crash()
	release()
	m.proxy.Reset()
	m.start("--write-back")
	m.eventually(`test -d papers/C/X.paper`) // the first tree shown is a saved one
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test ! -e papers/C/X.paper/pages/002; test -z "$(ls .paperfs/failed)"`)
	assert.NotZero(t, m.proxy.Count(remote.ProcessPDF))
}

// TestACloseReplacesWhatIsQueued checks a mount without --write-back after one with it: the close
// sends the content written before it, and nothing else.
func TestACloseReplacesWhatIsQueued(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`mkdir papers/C/X.paper`)
	longest := 4 * len(pdfOf(t, 1, 0)) // at least the length of a body with one.pdf
	m.put("two.pdf", pdfOf(t, 2, 2*longest))
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil || len(body) > longest {
			return false
		}
		_, _ = io.WriteString(w, `<result><code>RIPPER_CANNOT_PROCESS_PAPER_ALREADY_BEING_PROCESSED</code></result>`)
		return true
	})
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.crash()
	m.start()
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(`set -e; cmp "$HOME/one.pdf" papers/C/X.pdf; cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper
		test -e papers/C/X.paper/pages/002; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
}

// TestNamesOfQueuedPDFs checks that a name is free for a new PDF once its paper was deleted or
// moved, and that a queued PDF follows its paper.
func TestNamesOfQueuedPDFs(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back", "--allow-delete")
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`mkdir papers/C/R.paper papers/C/V.paper; cp "$HOME/one.pdf" papers/C/R.pdf; cp "$HOME/one.pdf" papers/C/V.pdf`)
	m.sh(`set -e; rmdir papers/C/R.paper; test ! -e papers/C/R.pdf; cp "$HOME/two.pdf" papers/C/R.pdf
		mv papers/C/V.paper papers/D/; test ! -e papers/C/V.pdf; cmp "$HOME/one.pdf" papers/D/V.pdf; cp "$HOME/two.pdf" papers/C/V.pdf; cmp "$HOME/one.pdf" papers/D/V.pdf`)
	release()
	m.sh(`set -e; "$PAPERFS" wait .; for p in papers/C/R.paper papers/C/V.paper papers/D/V.paper; do "$PAPERFS" wait $p; done
		test -e papers/C/R.paper/pages/002; test -e papers/C/V.paper/pages/002; test -e papers/D/V.paper/pages/001; test ! -e papers/D/V.paper/pages/002; test -z "$(ls .paperfs/failed)"`)
}

// TestAQueuedPDFWhosePaperIsAskedFor checks a paper that an attempt without an answer made, and the
// next one meets: until the service has told that the paper is empty, it may be the mount's own.
func TestAQueuedPDFWhosePaperIsAskedFor(t *testing.T) {
	t.Parallel()
	for how, interrupt := range map[string]func(*mounted){
		"refused": func(m *mounted) { m.unavailable(remote.GetProcessingPapers) },
		"killed":  func(m *mounted) { m.proxy.Freeze(remote.GetProcessingPapers) },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			c, category := m.client(), remote.Node{ID: m.idOf("papers/C"), URL: "/c/"}
			var arrives, made atomic.Bool
			for _, op := range []*remote.Operation{remote.CreatePaper, remote.GetPaperIDFromUrl} { // the second looks for what the first made
				m.proxy.Answer(op, func(w http.ResponseWriter, r *http.Request) bool {
					if op == remote.CreatePaper && arrives.Load() && !made.Load() {
						_, err := c.CreatePaper(t.Context(), category, "Spring", "spring")
						made.Store(err == nil)
					}
					if made.Load() {
						return false
					}
					_, _ = io.Copy(io.Discard, r.Body)
					w.WriteHeader(http.StatusBadGateway)
					return true
				})
			}
			m.sh(`cp "$HOME/one.pdf" papers/C/Spring.pdf`)
			m.attempted("papers/C/Spring.pdf")
			interrupt(m)
			arrives.Store(true)
			m.sh(`"$PAPERFS" retry .`)
			m.waitForRequest(remote.GetProcessingPapers)
			if how == "killed" {
				m.eventually(`grep -qr --include=tree Spring "$HOME"`) // the saved tree has the paper
				m.crash()
				m.start("--write-back")
			} else {
				m.eventually(`grep -q GetProcessingPapers .paperfs/uploads`)
			}
			m.proxy.Heal()
			m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/Spring.paper; test -e papers/C/Spring.paper/pages/001; test -z "$(ls .paperfs/failed)"`)
		})
	}
}

// TestAQueuedPDFWhosePaperIsMadeHere checks that the PDF becomes that paper's source.pdf, and that
// a write to that file is newer. On a busy machine the queue's next attempt makes the paper first.
func TestAQueuedPDFWhosePaperIsMadeHere(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.proxy.Answer(remote.CreatePaper, func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.attempted("papers/C/X.pdf")
	m.proxy.Heal()
	m.sh(`set -e; mkdir papers/C/X.paper 2> /dev/null || test -d papers/C/X.paper; cmp "$HOME/one.pdf" papers/C/X.paper/source.pdf; cp "$HOME/two.pdf" papers/C/X.paper/source.pdf; cmp "$HOME/two.pdf" papers/C/X.pdf
		"$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
}

// TestAPDFThatIsRemovedWhileItsPaperIsMade checks that a PDF that is then written again, as tar and
// install do, goes to that paper, also if the mount shows the paper before.
func TestAPDFThatIsRemovedWhileItsPaperIsMade(t *testing.T) {
	t.Parallel()
	for _, between := range []string{"rm papers/C/X.pdf", "rm papers/C/X.pdf; until test -e papers/C/X.paper; do sleep .05; done"} {
		t.Run(between, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			held, release := m.proxy.FreezeAnswer(remote.CreatePaper)
			m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
			<-held
			m.sh(`set -eC; ` + between + `; cat "$HOME/two.pdf" > papers/C/X.pdf`) // -C: as tar and install open it
			release()
			// What the kernel forgets, the store does: the name stays nevertheless. Only root can ask for that.
			m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; { echo 2 > /proc/sys/vm/drop_caches; } 2> /dev/null || true; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
		})
	}
}

// TestAPDFAfterOneThatMayHaveMadeThePaper checks that a paper which a queued PDF has created, without
// an answer, is not that of others for a PDF that took the place of the first, after a kill before its
// first attempt.
func TestAPDFAfterOneThatMayHaveMadeThePaper(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back", "--transfers=1")
	m.sh(`mkdir papers/D/Y.paper`)
	first, down := atomic.Bool{}, func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	m.proxy.Cut(remote.CreatePaper, 1, 0)
	m.proxy.Answer(remote.CreatePaper, func(w http.ResponseWriter, r *http.Request) bool { return first.Swap(true) && down(w, r) })
	m.proxy.Answer(remote.GetPaperIDFromUrl, down)
	m.proxy.Answer(remote.GetAllPapers, down)
	m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf`)
	m.attempted("papers/C/X.pdf")
	m.sh(`cp "$HOME/one.pdf" papers/D/Y.pdf`)
	m.waitForRequest(remote.ProcessPDF) // another PDF waits for its turn
	m.sh(`cp "$HOME/two.pdf" papers/C/.X.pdf.Ab3dE9; mv papers/C/.X.pdf.Ab3dE9 papers/C/X.pdf`)
	m.crash()
	m.proxy.Heal()
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.start("--write-back", "--transfers=1")
	m.eventually(`test -d papers/C/X.paper`) // the first tree shown is a saved one
	release()
	m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cmp "$HOME/two.pdf" papers/C/X.pdf`)
}

// TestWriteBackOfPDFs checks that a close returns once the PDF is durable locally. Its name shows
// that PDF, which stat calls pending, and it is sent in the background. A kill loses nothing, and a PDF saved again before
// its job has ended is sent afterwards.
func TestWriteBackOfPDFs(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir -p papers/C/X.paper papers/C/Z.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	closed := `set -e; cd papers/C; cmp "$HOME/three.pdf" X.pdf; for f in A.pdf X.paper/source.pdf Z.paper/any.pdf P.pdf; do case $f in
		X*) cmp "$HOME/three.pdf" $f;; *any*) ;; *) cmp "$HOME/two.pdf" $f;; esac; done; test "$(stat -c %Y A.pdf)" = 1000000000`
	m.sh(`set -e; cd papers/C; cp "$HOME/two.pdf" X.pdf; cp "$HOME/three.pdf" X.paper/source.pdf; cp "$HOME/two.pdf" Z.paper/any.pdf
		touch -d @1000000000 "$HOME/two.pdf"; cp -p "$HOME/two.pdf" A.pdf; cp "$HOME/two.pdf" P.pdf.part; mv P.pdf.part P.pdf; test ! -e P.pdf.part
		cp "$HOME/two.pdf" R.pdf; rm R.pdf; test ! -e R.pdf`)
	m.sh(closed)
	const states = `for f in A.pdf P.pdf X.pdf X.paper/source.pdf; do "$PAPERFS" stat papers/C/$f | grep -E 'state|error|sha256'; done | sort | uniq -c`
	assert.Regexp(t, `^ *4 state: +pending$`, m.sh(states))
	assert.Contains(t, m.sh(`cat .paperfs/uploads`), `papers/C/X.pdf"`)
	assert.Contains(t, m.fails(`cd papers/C; echo no > N.pdf; cp README.txt N.pdf`), "README")
	assert.Contains(t, m.fails(`cp README.txt papers/C/N.pdf`), "Invalid argument")
	m.sh(`"$PAPERFS" discard papers/C/N.pdf || :; rm -f .paperfs/failed/*`)
	m.crash()
	m.start("--write-back")
	m.eventually(`test -d papers/C/Z.paper`) // the first tree shown is a saved one
	m.sh(closed)
	release()
	m.sh(`"$PAPERFS" wait .; for p in papers/C/*.paper; do "$PAPERFS" wait $p; done`)
	m.sh(closed)
	assert.Regexp(t, `4 state: +published`, m.sh(states))
	m.sh(`set -e; cd papers/C; test "$(echo *)" = "A.paper P.paper X.paper Z.paper"; test -d X.paper/pages/003; test -d A.paper/pages/002; test -d Z.paper/pages/002; test -d P.paper/pages/002
		test -z "$(ls ../../.paperfs/failed)"`)
	m.proxy.Reset()
	m.sh(`set -e; cd papers/C; cp "$HOME/three.pdf" A.pdf; cp "$HOME/two.pdf" A.pdf; cp "$HOME/three.pdf" P.pdf; "$PAPERFS" wait ../..; "$PAPERFS" wait P.paper`)
	m.sh(`set -e; cd papers/C; cmp "$HOME/two.pdf" A.pdf; "$PAPERFS" wait A.paper; test ! -e A.paper/pages/003; test -e P.paper/pages/003; test -z "$(ls ../../.paperfs/failed)"`)
}
