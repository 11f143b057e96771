package mounttest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// minutes is a service that accepts a fixed number of requests per minute and refuses the others. A
// minute ends when the test says so.
type minutes struct {
	limit, left atomic.Int32
	refused     chan struct{} // a request was refused
}

func limited(m *mounted, limit int32) *minutes {
	s := &minutes{refused: make(chan struct{}, 1)}
	s.limit.Store(limit)
	s.left.Store(limit)
	m.proxy.Answer(nil, func(w http.ResponseWriter, _ *http.Request) bool {
		if s.left.Add(-1) >= 0 {
			return false
		}
		select {
		case s.refused <- struct{}{}:
		default:
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	return s
}

// next begins a minute.
func (s *minutes) next() {
	s.left.Store(s.limit.Load())
	select {
	case <-s.refused:
	default:
	}
}

// TestManyPDFsOverMinutesAndKills copies a folder of PDFs with rsync and --write-back to a service
// that accepts fewer requests per minute than they need, and kills the mount in each minute. In the
// end, every PDF is on the service once, and nothing is in failed/.
//
// PAPERFS_TEST_ROUNDS makes it a hundred PDFs at 45 requests a minute.
func TestManyPDFsOverMinutesAndKills(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "kills the mount in each of many minutes")
	testrun.Program(t, "rsync")
	count, limit := 12, int32(9)
	if os.Getenv("PAPERFS_TEST_ROUNDS") != "" {
		count, limit = 100, 45
	}
	m := newMount(t, "--write-back")
	m.sh(`mkdir "$HOME/F"`)
	for i := range count {
		m.put(fmt.Sprintf("F/%d.pdf", i), pdfOf(t, 1, 2000+i))
	}
	service := limited(m, limit)
	m.sh(`rsync -a "$HOME/F" papers/`)
	kills := 0
	for !m.sentBefore(service.refused) {
		kills++
		service.next()
		m.start("--write-back")
		m.eventually(`test -d papers/F`) // the first tree shown is a saved one
		m.sh(`rsync -a "$HOME/F" papers/`)
	}
	assert.GreaterOrEqual(t, kills, 2*count/int(limit)-1)
	m.proxy.Heal()
	m.processed("papers/F/*.paper")
	m.sh(fmt.Sprintf(`test -z "$(ls .paperfs/failed)"; for i in $(seq 0 %d); do cmp "$HOME/F/$i.pdf" papers/F/$i.pdf; test -e papers/F/$i.paper/pages/001; done`, count-1))
	assert.Empty(t, m.cost(`rsync -a "$HOME/F" papers/`))
	papers := map[string]int{}
	require.NoError(t, m.client().GetAllPapers(t.Context(), m.status().Tree.RootID, func(n remote.Node) error {
		if n.Kind == remote.PaperNode {
			papers[n.Name]++
		}
		return nil
	}))
	assert.Len(t, papers, count)
	for name, times := range papers {
		assert.Equal(t, 1, times, name)
	}
}

// sentBefore reports whether the queue empties before a request is refused. If not, it kills the mount.
func (m *mounted) sentBefore(refused <-chan struct{}) bool {
	m.t.Helper()
	failed := make(chan error, 1)
	go func() {
		out, err := m.run("bash", `"$PAPERFS" wait .`)
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		failed <- err
	}()
	select {
	case err := <-failed:
		require.NoError(m.t, err, "wait failed, although the mount still runs")
		return true
	case <-refused:
		m.crash()
		<-failed
		return false
	}
}

// TestWaitWaitsForAPDF checks that the PDF of an interrupted close, which is sent in the
// background, is in uploads, and that paperfs wait waits, until it is on the service or has failed.
func TestWaitWaitsForAPDF(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		t.Run(map[bool]string{false: "sent", true: "refused"}[refused], func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/X.paper`)
			answer := make(chan struct{})
			m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
				select {
				case <-answer:
				case <-r.Context().Done():
				}
				if refused {
					w.WriteHeader(http.StatusRequestEntityTooLarge)
				}
				return refused
			})
			m.proxy.Reset()
			m.sh(`{ cp "$HOME/one.pdf" papers/X.paper/source.pdf & echo $! > "$HOME/pid"; wait; : > "$HOME/ended"; } > /dev/null 2>&1 &`)
			m.waitForRequest(remote.ProcessPDF)
			m.sh(`read -r pid < "$HOME/pid"; kill "$pid"`)
			m.eventually(`test -e "$HOME/ended"`)
			require.Regexp(t, `^sending "papers/X.paper/source.pdf" \d+ of \d+ bytes since `, m.sh(`cat .paperfs/uploads`))
			require.Contains(t, m.sh(`"$PAPERFS" status --json .`), `"idle": false`)
			m.sh(`for path in . papers/X.paper; do
				{ code=0; "$PAPERFS" wait $path > /dev/null 2>&1 || code=$?; echo $code > "$HOME/code.${path##*.}"; } > /dev/null 2>&1 & done`)
			m.sh(`test ! -e "$HOME/code."; test ! -e "$HOME/code.paper"`)
			close(answer)
			m.eventually(`test -s "$HOME/code." && test -s "$HOME/code.paper"`)
			if refused {
				m.eventually(`! "$PAPERFS" wait . 2> "$HOME/words"; grep /papers/X.paper/source.pdf "$HOME/words"`)
				require.Regexp(t, `^failed ".paperfs/failed/source.pdf" \d+ bytes of "papers/X.paper/source.pdf"`, m.sh(`cat .paperfs/uploads`))
				return
			}
			require.Equal(t, "0\n0", m.sh(`cat "$HOME/code." "$HOME/code.paper"; test -n "$(cat papers/X.paper/job)"; ls papers/X.paper/pages/001 > /dev/null`))
			require.Empty(t, m.sh(`cat .paperfs/uploads`))
		})
	}
}

// TestWaitFailsForAQueuedPDFThatIsRefused checks that paperfs wait of a paper fails where a queued PDF of it is refused
// meanwhile, although the paper has the pages of the one before, and each wait after that, until the PDF or a later one is sent.
func TestWaitFailsForAQueuedPDFThatIsRefused(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/X.paper; cp "$HOME/one.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper`)
	answer := make(chan struct{})
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		<-answer
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return true
	})
	m.proxy.Reset()
	looked := m.opened(".paperfs/status")
	m.sh(`cp "$HOME/two.pdf" papers/X.paper/source.pdf
		{ code=0; "$PAPERFS" wait papers/X.paper > "$HOME/words" 2>&1 || code=$?; echo $code > "$HOME/code"; } > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	looked()
	close(answer)
	m.eventually(`test -s "$HOME/code"`)
	require.Equal(t, "19", m.sh(`cat "$HOME/code"`))
	require.Contains(t, m.sh(`cat "$HOME/words"`), "/papers/X.paper/source.pdf, now .paperfs/failed/source.pdf: ")
	m.proxy.Heal()
	again := `"$PAPERFS" wait papers/X.paper 2> "$HOME/words" || test $? = 19; grep "now .paperfs/failed/source.pdf" "$HOME/words"`
	m.sh(again + `; "$PAPERFS" retry papers/X.paper && "$PAPERFS" wait papers/X.paper && test -d papers/X.paper/pages/002`)
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return true
	})
	m.sh(`cp "$HOME/one.pdf" papers/X.paper/source.pdf`)
	m.eventually(`test -e .paperfs/failed/source.pdf`)
	m.proxy.Heal()
	m.sh(again + `; cp "$HOME/one.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper; test -e .paperfs/failed/source.pdf; test ! -d papers/X.paper/pages/002`)
}

// opened returns a function that waits until a program has opened a file of the mount since.
func (m *mounted) opened(path string) (wait func()) {
	fd := testrun.Must(unix.InotifyInit1(unix.IN_CLOEXEC))(m.t)
	m.t.Cleanup(func() { _ = unix.Close(fd) })
	testrun.Must(unix.InotifyAddWatch(fd, filepath.Join(m.dir, path), unix.IN_OPEN))(m.t)
	return func() {
		n, err := 0, error(unix.EINTR)
		for err == unix.EINTR {
			n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(testrun.Patience().Milliseconds()))
		}
		require.NoError(m.t, err)
		require.Positive(m.t, n, "a program has opened %s", path)
	}
}

// TestStatusNamesPDFsThatAreWritten checks that status names a PDF being written, but none that is
// being sent or has a temporary name.
func TestStatusNamesPDFsThatAreWritten(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cp "$HOME/two.pdf" papers/C/Sent.pdf; cp "$HOME/two.pdf" papers/C/x.part`)
	out := m.sh(`exec 3> papers/C/X.pdf; cat "$HOME/two.pdf" >&3; "$PAPERFS" status .`)
	assert.Regexp(t, `(?m)^writing: +papers/C/X\.pdf$`, out)
	assert.NotContains(t, out, "Sent.pdf")
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "writing:")
}

// TestPagesWithoutTheirProductsAreThere checks that errors does not report missing pages.
func TestPagesWithoutTheirProductsAreThere(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--pdf-options", "<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>")
	m.put("shop.pdf", pdftest.Document([]pdftest.Sheet{{Text: "one", Links: []pdftest.Link{{Left: 100, Right: 300, Bottom: 100, Top: 200, URI: "ipaper://Shop/RK-7"}}}}))
	m.sh(`mkdir papers/C; cp "$HOME/shop.pdf" papers/C/X.pdf`)
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	m.sh(`cat papers/C/X.paper/job`)
	assert.Contains(t, m.sh(`cat .paperfs/errors`), `the pages are there, but not all of their links and products: Page 1: no table has a product with the Id`)
	assert.NotContains(t, m.sh(`cat .paperfs/errors`), "could not make pages")
	assert.Equal(t, "one", m.sh(`cat papers/C/X.paper/pages/*/text.txt`))
}

// TestRetryNamesADirectoryThatIsThere checks that retry names an existing directory for content
// with a temporary name in a removed one.
func TestRetryNamesADirectoryThatIsThere(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir -p papers/C/D; echo x > papers/C/D/x.part`)
	m.remount("--allow-delete")
	m.sh(`rmdir papers/C/D`)
	assert.Contains(t, m.fails(`"$PAPERFS" retry .paperfs/failed/x.part`), m.dir+"/papers/C/NAME.pdf")
}

// TestKillsOfQueuedPDFs checks that PDFs dropped with --write-back are each on the service once,
// although mounts are killed in between.
func TestKillsOfQueuedPDFs(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	count, kills := 4, 2
	if testrun.All() {
		count, kills = 12, 4
	}
	m := newMount(t, "--write-back")
	m.sh(`mkdir "$HOME/F" papers/F`)
	for i := range count {
		m.put(fmt.Sprintf("F/%d.pdf", i), pdfOf(t, 1, 2000+i))
	}
	m.sh(`rsync -a "$HOME/F" papers/`)
	for range kills {
		m.crash()
		m.start("--write-back")
		m.eventually(`test -d papers/F`) // the first tree shown is a saved one
		m.sh(`rsync -a "$HOME/F" papers/`)
	}
	m.sh(`"$PAPERFS" wait .; for p in papers/F/*.paper; do "$PAPERFS" wait $p; done`)
	m.sh(fmt.Sprintf(`set -e; test "$(ls papers/F | wc -l)" = %d; test -z "$(ls .paperfs/failed)"; for i in $(seq 0 %d); do cmp "$HOME/F/$i.pdf" papers/F/$i.pdf; test -e papers/F/$i.paper/pages/001; done`, count, count-1))
	assert.Empty(t, m.cost(`rsync -a "$HOME/F" papers/`))
}
