package mounttest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// writer is a program that writes n files in media/, keeps them open and prints a line. At each
// line of input, it closes them and prints the errors of that.
type writer struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func (m *mounted) startWriter(t *testing.T, n int) *writer {
	t.Helper()
	testrun.Program(t, "python3")
	c := programtest.Command(t, testrun.Patience(), "python3", "-c", `
import os, sys
def write(i):
    f = os.open("media/%d" % i, os.O_WRONLY | os.O_CREAT)
    os.write(f, b"some")
    return f
def close(f):
    try: os.close(f)
    except OSError as e: return e.errno
n = int(sys.argv[1])
files = [write(i) for i in range(n)]
print("written", flush=True)
for line in sys.stdin:
    print({close(f) for f in files} - {None} or "closed", flush=True)
`, fmt.Sprint(n))
	c.Dir, c.Env = m.dir, m.environment()
	in := testrun.Must(c.StdinPipe())(t)
	out := testrun.Must(c.StdoutPipe())(t)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.Wait()
	})
	w := &writer{t, in, bufio.NewReader(out)}
	require.Equal(t, "written\n", w.line())
	return w
}

func (w *writer) line() string {
	w.t.Helper()
	return testrun.Must(w.out.ReadString('\n'))(w.t)
}

// closes makes the program close its files, and returns what it says.
func (w *writer) closes() string {
	w.t.Helper()
	testrun.Must(io.WriteString(w.in, "\n"))(w.t)
	return w.line()
}

// descriptors returns how many descriptors the mount has.
func (m *mounted) descriptors() int {
	m.t.Helper()
	return len(testrun.Must(os.ReadDir(fmt.Sprintf("/proc/%d/fd", m.process.Process.Pid)))(m.t))
}

// TestAnOpenFileNeedsOneDescriptor checks how many descriptors the mount needs for the files that one
// program has open for writing.
func TestAnOpenFileNeedsOneDescriptor(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; printf first > media/first`)
	before := m.descriptors()
	const n, others = 60, 10
	m.startWriter(t, n)
	require.LessOrEqual(t, m.descriptors(), before+n+others)
}

// TestAMomentWithoutDescriptors checks that a mount with --write-back that can open no file for a
// moment goes on queueing, and that later closes succeed.
func TestAMomentWithoutDescriptors(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`printf second > ../second; ls media; printf first > media/first`)
	w := m.startWriter(t, 1)
	pid := m.process.Process.Pid
	var limit unix.Rlimit
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &limit))
	none := unix.Rlimit{Cur: 0, Max: limit.Max}
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, &none, nil))
	during := w.closes()
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, &limit, nil))
	require.Equal(t, "closed\n", during, "the close needs no descriptor")
	m.sh(`cp ../second media/second; "$PAPERFS" wait .`)
	require.Equal(t, map[string]string{"0": sum("some"), "first": sum("first"), "second": sum("second")}, m.atService())
}
