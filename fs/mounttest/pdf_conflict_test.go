package mounttest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// whole is complete content for the service.
type whole []byte

func (w whole) Size() int64                  { return int64(len(w)) }
func (w whole) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(w)), nil }

// colleague creates, past the mount, a paper X in papers/C with a PDF of three pages.
func (m *mounted) colleague(t *testing.T, category int64) (paper int64) {
	t.Helper()
	c := m.client()
	paper = testrun.Must(c.CreatePaper(t.Context(), remote.Node{ID: category, URL: "/c/"}, "X", "x"))(t)
	m.colleaguesPDF(t, paper, 3)
	return paper
}

// colleaguesPDF makes the service process a PDF that the mount does not know.
func (m *mounted) colleaguesPDF(t *testing.T, paper int64, pages int) {
	t.Helper()
	c := m.client()
	job := testrun.Must(c.ProcessPDF(t.Context(), paper, "", whole(pdfOf(t, pages, 0))))(t)
	until(t, "the colleague's PDF is processed", func() bool {
		status, _, err := c.GetProcessingStatus(t.Context(), job.GUID)
		return err == nil && status == remote.JobCompleted
	})
}

func (m *mounted) idOf(category string) int64 {
	return testrun.Must(strconv.ParseInt(m.sh(`set -e; cat `+category+`/.category/id`), 10, 64))(m.t)
}

func (m *mounted) unavailable(op *remote.Operation) {
	m.proxy.Answer(op, func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
}

// TestAQueuedPDFReplacesNoColleagues checks that a paper that a colleague publishes under the name
// of a waiting PDF stays, even if the mount is killed in between, and whether or not the mount has
// seen it.
func TestAQueuedPDFReplacesNoColleagues(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"seen", "unseen", "killed", "written"} {
		t.Run(how, func(t *testing.T) {
			if how == "unseen" || how == "written" {
				testrun.Long(t, "queues the PDF in another way")
			}
			t.Parallel()
			m := newDrops(t, "--write-back")
			category := m.idOf("papers/C")
			m.unavailable(remote.CreatePaper)
			m.proxy.Fail(remote.GetPaperIDFromUrl, -1, 400) // otherwise a refresh may find the colleague's paper before it has a PDF
			if how == "written" {
				m.sh(`cat "$HOME/two.pdf" > papers/C/X.pdf`)
			} else {
				m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
			}
			m.attempted("papers/C/X.pdf")
			m.colleague(t, category)
			switch how {
			case "seen":
				m.sh(`echo > .paperfs/refresh`)
				m.eventually(`test -e papers/C/X.paper`)
			case "killed":
				m.crash()
				m.start("--write-back")
				m.eventually(`test -d papers/C`)
			}
			m.proxy.Heal()
			m.sh(`"$PAPERFS" retry .`)
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
			assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/X.pdf`), "somebody else has created X.paper")
			m.eventually(`test -e papers/C/X.paper/pages/003`)
			m.fails(`"$PAPERFS" retry papers/C/X.pdf`)
			m.sh(`set -e; mv .paperfs/failed/X.pdf papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
		})
	}
}

// TestAPDFReplacesNoColleaguesThatALookFinds checks a paper that the mount finds after CreatePaper
// had no answer: it is not the mount's own, whether it already has pages or not.
func TestAPDFReplacesNoColleaguesThatALookFinds(t *testing.T) {
	t.Parallel()
	for _, pages := range []bool{true, false} {
		t.Run(strconv.FormatBool(pages), func(t *testing.T) {
			t.Parallel()
			m := newDrops(t)
			c, category := m.client(), remote.Node{ID: m.idOf("papers/C"), URL: "/c/"}
			var once sync.Once
			m.proxy.Answer(remote.CreatePaper, func(w http.ResponseWriter, r *http.Request) bool {
				_, _ = io.Copy(io.Discard, r.Body)
				once.Do(func() {
					paper, err := c.CreatePaper(t.Context(), category, "X", "x")
					switch {
					case !assert.NoError(t, err):
					case pages:
						m.colleaguesPDF(t, paper, 3)
					default:
						m.proxy.Garble(remote.GetProcessingPapers, `<result><code>SUCCESS</code><data><processes><process paper-id="`+strconv.FormatInt(paper, 10)+`" progress="7" /></processes></data></result>`)
					}
				})
				w.WriteHeader(http.StatusBadGateway)
				return true
			})
			assert.Contains(t, m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`), "File exists")
			m.proxy.Heal()
			m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
			assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/X.pdf`), "somebody else has created X.paper")
			assert.Zero(t, m.proxy.Count(remote.ProcessPDF))
			if pages {
				m.sh(`test -e papers/C/X.paper/pages/003`)
			}
			m.sh(`set -e; mv .paperfs/failed/X.pdf papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
		})
	}
}

// TestAQueuedPDFWhosePaperWasMadeBeforeAKill checks that the PDF goes to that paper. The kill came
// before the answer, or during the upload of the PDF.
func TestAQueuedPDFWhosePaperWasMadeBeforeAKill(t *testing.T) {
	t.Parallel()
	for _, op := range []*remote.Operation{remote.CreatePaper, remote.ProcessPDF} {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			var release func()
			if op == remote.CreatePaper {
				var held <-chan struct{}
				held, release = m.proxy.FreezeAnswer(op)
				m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
				<-held
			} else {
				release = m.proxy.Freeze(op)
				m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
				m.waitForRequest(op)
			}
			m.crash()
			release()
			m.start("--write-back")
			m.eventually(`test -d papers/C`)
			m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test -z "$(ls .paperfs/failed)"; test "$(ls papers/C)" = X.paper`)
		})
	}
}

// TestARemovedQueuedPDFDoesNotComeBack checks that rm removes a PDF from the queue for good, even
// if a kill follows, and even while its paper is being created.
func TestARemovedQueuedPDFDoesNotComeBack(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	release := m.proxy.Freeze(remote.CreatePaper)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.waitForRequest(remote.CreatePaper)
	m.sh(`rm papers/C/X.pdf`)
	m.crash()
	release()
	m.proxy.Reset()
	m.start("--write-back")
	m.eventually(`test -d papers/C`)
	m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; ! grep -q X.pdf .paperfs/uploads`)
	assert.Zero(t, m.proxy.Count(remote.CreatePaper))
	assert.Zero(t, m.proxy.Count(remote.ProcessPDF))
}

// TestSourcePDFTakesAQueuedPDFBack checks that removing either name of a queued PDF takes it out of
// the queue: both names mean one PDF.
func TestSourcePDFTakesAQueuedPDFBack(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.unavailable(remote.ProcessPDF)
	for _, names := range [][2]string{{"X.pdf", "X.paper/source.pdf"}, {"Y.paper/source.pdf", "Y.pdf"}, {"Z.paper/any.pdf", "Z.paper/source.pdf"}} {
		m.sh(`set -e; cd papers/C; mkdir -p ` + names[0][:1] + `.paper; cp "$HOME/two.pdf" ` + names[0])
		m.sh(`set -e; grep -q "C/` + names[0][:1] + `" .paperfs/uploads; rm papers/C/` + names[1])
		m.eventually(`! grep -q "C/` + names[0][:1] + `" .paperfs/uploads`)
		m.sh(`set -e; cd papers/C; for f in ` + names[0] + ` ` + names[1] + `; do test ! -s $f; done; cp "$HOME/one.pdf" ` + names[0] + `; cmp "$HOME/one.pdf" ` + names[0])
	}
	m.proxy.Heal()
	m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; for p in papers/C/*.paper; do "$PAPERFS" wait $p; test -e $p/pages/001; test ! -e $p/pages/002; done; test -z "$(ls .paperfs/failed)"`)
}

// TestRsyncKeepsWhatItHasQueued checks that queued PDFs stay when rsync removes the papers'
// directories after it has sent the files next to them.
func TestRsyncKeepsWhatItHasQueued(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newDrops(t, "--write-back")
	m.sh(`set -e; mkdir papers/C/X.paper "$HOME/F"; cp "$HOME/two.pdf" "$HOME/F/X.pdf"`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	_, _ = m.run("bash", `rsync -a --delete-after "$HOME/F/" papers/C/`)
	release()
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
}

// TestEmptyingAQueuedPDF checks that the whole queued content is sent, and that a program
// that writes afterwards begins with nothing.
func TestEmptyingAQueuedPDF(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.unavailable(remote.ProcessPDF)
	for i, script := range []string{`truncate -s 0 X.pdf`, `: > X.pdf`, `: > X.paper/source.pdf`} {
		paper := strconv.Itoa(i)
		m.sh(`set -e; mkdir papers/C/` + paper + `.paper; cd papers/C; cp "$HOME/two.pdf" ` + paper + `.pdf`)
		m.sh(`set -e; cd papers/C; ` + strings.ReplaceAll(script, "X.", paper+".") + `; until cmp -s "$HOME/two.pdf" ` + paper + `.pdf; do sleep .01; done`)
	}
	m.sh(`cd papers/C; cp "$HOME/two.pdf" V.pdf; cp "$HOME/one.pdf" V.pdf; cmp "$HOME/one.pdf" V.pdf
		cp "$HOME/two.pdf" U.pdf; truncate -s 0 U.pdf; cp "$HOME/one.pdf" u.part; mv u.part U.pdf; cmp "$HOME/one.pdf" U.pdf
		cat "$HOME/two.pdf" >> U.pdf; cat "$HOME/one.pdf" "$HOME/two.pdf" | cmp - U.pdf
		mkdir T.paper; cp "$HOME/two.pdf" T.pdf; truncate -s 0 T.pdf; cp "$HOME/one.pdf" t.part; mv t.part T.pdf`)
	m.proxy.Heal()
	m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; cat "$HOME/two.pdf" >> papers/C/T.pdf; cat "$HOME/one.pdf" "$HOME/two.pdf" | cmp - papers/C/T.pdf`)
	m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cd papers/C; for i in 0 1 2; do "$PAPERFS" wait $i.paper || exit 1; test -e $i.paper/pages/002 || exit 1; cmp "$HOME/two.pdf" $i.pdf || exit 1; done; cmp "$HOME/one.pdf" V.pdf`)
}

// TestBothEndingsOfAQueuedPDF checks that x.pdf and x.PDF mean one PDF while it is queued, as they
// do once the paper exists: the later one is sent.
func TestBothEndingsOfAQueuedPDF(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.proxy.Down() // an attempt that got an answer could have made a paper of what is removed then
	m.sh(`set -e; cd papers/C; cp "$HOME/one.pdf" x.pdf; cp "$HOME/two.pdf" x.PDF; cmp "$HOME/two.pdf" x.pdf; cp "$HOME/two.pdf" y.PDF; rm y.pdf; test ! -e y.PDF`)
	m.proxy.Up()
	m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cd papers/C; test "$(ls)" = x.paper; "$PAPERFS" wait x.paper; test -e x.paper/pages/002; cmp "$HOME/two.pdf" x.pdf`)
}

// TestAReadOnlyMountSendsNoQueue checks that a read-only mount leaves the queue of an earlier mount
// to the next one.
func TestAReadOnlyMountSendsNoQueue(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.unavailable(remote.CreatePaper)
	m.unavailable(remote.UploadFile)
	m.sh(`set -e; cp "$HOME/two.pdf" papers/C/X.pdf; echo logo > media/logo`)
	m.waitForRequest(remote.CreatePaper)
	m.waitForRequest(remote.UploadFile)
	m.proxy.Down() // no earlier request comes after Reset
	m.crash()
	m.proxy.Heal()
	m.proxy.Reset()
	m.proxy.Up()
	m.start("--read-only")
	m.eventually(`test -d papers/C`)
	m.sh(`set -e; cmp "$HOME/two.pdf" papers/C/X.pdf; test "$(cat media/logo)" = logo; "$PAPERFS" status . | grep -q "read-only"`)
	assert.Contains(t, m.fails(`"$PAPERFS" wait .`), "sends nothing")
	m.stop()
	for _, op := range []*remote.Operation{remote.CreatePaper, remote.ProcessPDF, remote.UploadFile} {
		assert.Zero(t, m.proxy.Count(op), op.Name)
	}
	m.start("--write-back")
	m.eventually(`test -d papers/C`)
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
	assert.Equal(t, 1, m.proxy.Count(remote.UploadFile))
}

// TestATemporaryFileInADeletedPaper checks that the mount refuses such a file, because no user
// would find it again.
func TestATemporaryFileInADeletedPaper(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	paper := testrun.Must(m.client().CreatePaper(t.Context(), remote.Node{ID: m.idOf("papers/C"), URL: "/c/"}, "X", "x"))(t)
	m.sh(`echo > .paperfs/refresh`)
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(`mkfifo "$HOME/go"; { set +e; cd papers/C/X.paper; : > "$HOME/inside"; read < "$HOME/go"; echo a > x.part; echo $? > "$HOME/outcome.part"; mv "$HOME/outcome.part" "$HOME/outcome"; } > /dev/null 2> "$HOME/said" &`)
	m.eventually(`test -e "$HOME/inside"`)
	require.NoError(t, m.client().DeletePaper(t.Context(), paper))
	m.sh(`echo > .paperfs/refresh`)
	m.eventually(`test ! -e papers/C/X.paper`)
	m.sh(`echo > "$HOME/go"`)
	m.eventually(`test -e "$HOME/outcome"`)
	assert.Equal(t, "1", m.sh(`set -e; cat "$HOME/outcome"`))
	assert.Contains(t, m.sh(`set -e; cat "$HOME/said"`), "No such file or directory")
}
