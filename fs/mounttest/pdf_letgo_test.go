package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestNobodyGoesOnWithWhatAKilledWriterLeftOfAPDF checks that the names show the PDF before at once, and that
// what another program, which has the torso open, writes there is not sent: its close says so.
func TestNobodyGoesOnWithWhatAKilledWriterLeftOfAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for _, flags := range [][]string{nil, {"--write-back"}} {
		m := newMount(t, flags...)
		m.drops(t)
		m.put("three.pdf", pdfOf(t, 3, 0))
		m.sh(`cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait ../..; "$PAPERFS" wait X.paper`)
		m.proxy.Reset()
		for i, name := range []string{"X.pdf", "X.paper/source.pdf"} {
			m.sh(`cd papers/C; python3 -c '
import errno, os, subprocess
three, two = (open(os.environ["HOME"] + "/" + f, "rb").read() for f in ("three.pdf", "two.pdf"))
other = os.open("` + name + `", os.O_RDWR)
killed = subprocess.run(["bash", "-c", "exec 3> ` + name + `; head -c 200 $HOME/three.pdf >&3; kill -KILL $$"])
assert killed.returncode == -9, killed
assert open("X.pdf", "rb").read() == two and open("X.paper/source.pdf", "rb").read() == two
for call in lambda: os.pwrite(other, three[200:], 200), lambda: os.ftruncate(other, 0), lambda: os.pwrite(other, three, 0):
    call()
    try:
        os.close(os.dup(other))
    except OSError as e:
        assert e.errno == errno.EIO, e
    else:
        assert False, "a close succeeded"
assert open("X.pdf", "rb").read() == two
'; ! "$PAPERFS" wait ../.. 2> /dev/null; cmp X.pdf "$HOME/two.pdf"`)
			assert.Zero(t, m.proxy.Count(remote.ProcessPDF), name)
			place := []string{"papers/C/X.pdf", "papers/C/X.paper/source.pdf"}[i]
			m.eventually(`test -n "$(ls .paperfs/failed)"`)
			m.sh(`cmp .paperfs/failed/*.pdf "$HOME/three.pdf"; "$PAPERFS" discard ` + place)
		}
	}
}

// TestNoRoomInTheMiddleOfReplacingAQueuedPDF checks that the names show the queued PDF as soon as a close has
// failed, although the program that has failed still has it open, and that it is sent.
func TestNoRoomInTheMiddleOfReplacingAQueuedPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--write-back")
	m.drops(t)
	m.unavailable(remote.ProcessPDF)
	m.put("writer.py", []byte(`import errno, os
f = os.open("papers/C/X.pdf", os.O_WRONLY | os.O_TRUNC)
def wait(): open(os.environ["HOME"] + "/go").read()
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        print(call.__name__, errno.errorcode[e.errno], flush=True)
os.write(f, b"%PDF-1.4 begun")
print("begun", flush=True)
wait()
refused(os.write, f, b" more")
wait()
refused(os.close, os.dup(f))
wait()
refused(os.close, f)
print("ended", flush=True)
`))
	m.sh(`mkfifo "$HOME/go"; mkdir papers/C/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf; python3 "$HOME/writer.py" > "$HOME/said" 2>&1 &
		until grep -q begun "$HOME/said"; do sleep 0.02; done`)
	m.strace(func() {
		m.sh(`: > "$HOME/go"`)
		m.eventually(`grep -q "write ENOSPC" "$HOME/said"`)
	}, "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC")
	m.sh(`head -c 9 papers/C/X.pdf | grep -q "^%PDF-1.4 $"; : > "$HOME/go"`) // as long as no close has told, programs share it
	m.eventually(`grep -q "close ENOSPC" "$HOME/said"`)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		require.Empty(t, m.sh(`cd papers/C; cmp "$HOME/two.pdf" `+name+`; test $(stat -c %s `+name+`) = $(stat -c %s "$HOME/two.pdf") || echo size`))
	}
	m.sh(`: > "$HOME/go"`)
	m.eventually(`grep -q ended "$HOME/said"`)
	m.eventually(`grep -q begun .paperfs/failed/X.pdf`)
	m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" discard papers/C/X.pdf`)
	m.proxy.Heal()
	taken := m.takePDFs()
	m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
	require.Equal(t, m.here("two.pdf"), taken())
}
