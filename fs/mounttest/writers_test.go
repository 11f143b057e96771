package mounttest

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestWritersOfAPDFThatIsBeingSent checks that writers do not wait for the service: their writes
// are part of the next upload, not of the one under way.
func TestWritersOfAPDFThatIsBeingSent(t *testing.T) {
	t.Parallel()
	for how, write := range map[string]string{
		"a shorter file": `os.ftruncate(f, 0); os.pwrite(f, new, 0)`,
		"an overwrite":   `os.pwrite(f, new, 0)`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			first, second := pdfOf(t, 3, 9000), pdfOf(t, 2, 8000)
			if how != "a shorter file" {
				second = pdfOf(t, 2, 9000)
			}
			m.put("first", first)
			m.put("second", second)
			m.sh(`mkdir papers/X.paper`)
			release := m.proxy.Freeze(remote.ProcessPDF)
			defer release()
			m.proxy.Reset()
			writer := programtest.Command(t, testrun.Patience(), "bash", "-c", `cd papers/X.paper; exec python3 -c '
import os, sys, threading
old, new = (open(os.environ["HOME"] + name, "rb").read() for name in ("/first", "/second"))
first = os.open("source.pdf", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
os.write(first, old)
f = os.open("source.pdf", os.O_RDWR)
failed = []
def close():
    try: os.close(first)
    except OSError as e: failed.append(e)
closer = threading.Thread(target=close); closer.start()
sys.stdin.readline()
`+write+`
print("written", flush=True)
closer.join(); assert not failed, failed
print("closed", flush=True)
sys.stdin.readline()
os.close(f)'`)
			writer.Dir, writer.Env = m.dir, m.environment()
			tell := testrun.Must(writer.StdinPipe())(t)
			out := testrun.Must(writer.StdoutPipe())(t)
			lines := make(chan string)
			require.NoError(t, writer.Start())
			go func() {
				defer close(lines)
				for scanner := bufio.NewScanner(out); scanner.Scan(); {
					lines <- scanner.Text()
				}
			}()
			m.waitForRequest(remote.ProcessPDF)
			testrun.Must(io.WriteString(tell, "write\n"))(t)
			says := func(want string) {
				select {
				case line := <-lines:
					require.Equal(t, want, line)
				case <-time.After(testrun.Patience()):
					t.Fatalf("the program has not %s", want)
				}
			}
			says("written") // while the service answers nothing
			release()
			says("closed")
			m.sh(`"$PAPERFS" wait papers/X.paper`) // the service processes one at a time
			testrun.Must(io.WriteString(tell, "close\n"))(t)
			for range lines { // until its end
			}
			require.NoError(t, writer.Wait())
			require.Equal(t, 2, m.proxy.Count(remote.ProcessPDF))
			m.sh(`cmp "$HOME/second" papers/X.paper/source.pdf; test -z "$(ls .paperfs/failed)"`)
		})
	}
}

// TestClosersOfAPDFThatIsBeingSentCanBeKilled checks two processes that have inherited the PDF: one
// dies with it open, and the other waits in its close for the same outcome.
func TestClosersOfAPDFThatIsBeingSentCanBeKilled(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, firstPage)
	m.sh(`mkdir papers/X.paper; mkfifo "$HOME/go"`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.proxy.Reset()
	sent := make(chan error, 1)
	go func() {
		_, err := m.run("bash", `exec 3> papers/X.paper/source.pdf; cat `+manual+` >&3
sleep 1000 & echo $! > "$HOME/holder"
(read -r x < "$HOME/go"; echo > "$HOME/closing"; exec 3>&-; sleep 1000) & echo $! > "$HOME/closer"
exec 3>&-`)
		sent <- err
	}()
	m.waitForRequest(remote.ProcessPDF)
	m.eventually(`test -s "$HOME/closer"`)
	m.sh(`kill -KILL $(cat "$HOME/holder")`)
	m.gone("holder")
	m.sh(`echo go > "$HOME/go"`)
	m.eventually(`test -e "$HOME/closing"`)
	m.sh(`kill -KILL $(cat "$HOME/closer")`)
	m.gone("closer")
	release()
	require.NoError(t, <-sent)
	assert.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	m.sh(`cmp ` + manual + ` papers/X.paper/source.pdf`)
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

// gone waits until the process whose id is in a file has ended, perhaps as a zombie.
func (m *mounted) gone(file string) {
	m.t.Helper()
	pid := testrun.Must(os.ReadFile(filepath.Join(m.home, file)))(m.t)
	m.eventually(`! grep -q '^State:[[:space:]][^ZX]' /proc/` + strings.TrimSpace(string(pid)) + `/status 2> /dev/null`)
}

// TestAMountThatIsKilledWhileAPDFIsSent checks that the whole PDF is kept, and that content written
// through another handle in the meantime is newer.
func TestAMountThatIsKilledWhileAPDFIsSent(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/A/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.proxy.Reset()
	m.sh(`cp "$HOME/two.pdf" papers/A/X.paper/source.pdf > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	m.crash()
	m.start()
	m.sh(`set -e; test "$(ls .paperfs/failed)" = source.pdf; grep -q ' bytes of "papers/A/X.paper/source.pdf" since ' .paperfs/uploads
		"$PAPERFS" why papers/A/X.paper/source.pdf; cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
}

// TestReadingAPDFWhoseSenderWasInterrupted checks that the close continues in the background, and
// that, until the service has answered, the name shows the PDF being sent.
func TestReadingAPDFWhoseSenderWasInterrupted(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`mkdir papers/C/X.paper`)
	held, release := m.proxy.FreezeAnswer(remote.ProcessPDF)
	m.sh(`(exec cp "$HOME/two.pdf" papers/C/X.paper/source.pdf > /dev/null 2>&1) & echo $! > "$HOME/pid"`)
	<-held
	m.sh(`kill -TERM $(cat "$HOME/pid")`)
	m.eventually(`! grep -qs "^State:[[:space:]]*[^XZ[:space:]]" "/proc/$(cat "$HOME/pid")/status"`) // in a PID namespace, nobody may wait for it
	m.sh(`set -e; cmp "$HOME/two.pdf" papers/C/X.paper/source.pdf; cmp "$HOME/two.pdf" papers/C/X.pdf`)
	release()
	m.sh(`"$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
}

// TestASignalEndsTheWaitForAnotherPDF checks the wait for another PDF of the same paper.
func TestASignalEndsTheWaitForAnotherPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/C/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.proxy.Reset()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.paper/source.pdf > /dev/null 2>&1 & pid=$!
		until test "$(stat -c %s papers/C/X.paper/source.pdf)" = "$(stat -c %s "$HOME/two.pdf")"; do sleep 0.02; done
		kill -TERM $pid; ! wait $pid`)
	require.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	release()
}

// TestASecondPDFWaitsForTheFirst checks that the close of a PDF succeeds without a wait while the service
// makes the pages of the one before, that the mount shows it and sends it once that has ended, also the one that a rename brings.
func TestASecondPDFWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	for _, way := range []string{`cp "$HOME/%.pdf" papers/C/X.paper/source.pdf`, `cp "$HOME/%.pdf" papers/C/.t; mv papers/C/.t papers/C/X.pdf`} {
		m.refuse(remote.ProcessPDF, `<result><code>`+string(remote.AlreadyBeingProcessed)+`</code></result>`)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(strings.Replace(way, "%", "two", 1)))
		m.sh(`set -e; cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" status . | grep -q X.p`)
		m.sh(strings.Replace(way, "%", "three", 1) + `; cmp "$HOME/three.pdf" papers/C/X.paper/source.pdf`)
		m.proxy.Heal()
		m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -d papers/C/X.paper/pages/003; test -z "$(ls .paperfs/failed)"; cmp "$HOME/three.pdf" papers/C/X.pdf`)
	}
}

// TestTheLastPDFStays closes a PDF while an older one is being sent to the same paper, and the
// writer of the older one waits or was killed.
func TestTheLastPDFStays(t *testing.T) {
	t.Parallel()
	for name, writer := range map[string]string{
		"two writers":     `cp "$HOME/one.pdf" papers/X.paper/source.pdf`,
		"a killed writer": `cp "$HOME/one.pdf" papers/X.paper/source.pdf & echo $! > "$HOME/writer"; wait`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.put("two.pdf", pdfOf(t, 2, 0))
			m.sh(`mkdir papers/X.paper`)
			var slow atomic.Bool
			m.proxy.Answer(remote.ProcessPDF, func(_ http.ResponseWriter, r *http.Request) bool {
				if slow.CompareAndSwap(false, true) {
					select {
					case <-time.After(time.Second):
					case <-r.Context().Done():
					}
				}
				return false
			})
			m.proxy.Reset()
			m.sh(`{ set +e; ` + writer + `; : > "$HOME/one.ended"; } > /dev/null 2>&1 &`)
			m.waitForRequest(remote.ProcessPDF)
			m.sh(`test ! -e "$HOME/writer" || kill "$(cat "$HOME/writer")" || :`)
			// The service processes one PDF of a paper at a time and refuses others, which go to failed/ at their last release: the
			// kernel sends it after the close.
			m.sh(`cp "$HOME/two.pdf" papers/X.paper/source.pdf 2> /dev/null || : > "$HOME/two.refused"`)
			m.eventually(`test ! -e "$HOME/two.refused" || cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
			m.sh(`test ! -e "$HOME/two.refused" || { ! "$PAPERFS" wait papers/X.paper && "$PAPERFS" retry papers/X.paper/source.pdf; }`)
			m.eventually(`test -e "$HOME/one.ended"`)
			m.sh(`"$PAPERFS" wait papers/X.paper; cmp "$HOME/two.pdf" papers/X.paper/source.pdf; test "$(ls papers/X.paper/pages | wc -l)" = 2`)
		})
	}
}
