package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
