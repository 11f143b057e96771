package mounttest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/programtest"
	"paperfs/remote"
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

// TestPartlyReadFilesLeaveDescriptors checks that a program that reads the first byte of more files than the mount may
// have descriptors leaves it some: other programs still write and read. It reads each file as long as any other.
func TestPartlyReadFilesLeaveDescriptors(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	const files, more = 50, 36
	for i := range files {
		testrun.Must(m.client().UploadFile(t.Context(), 0, fmt.Sprintf("film%d", i), bytesOf("film")))(t)
	}
	m.proxy.Alter(remote.GetTree, func(r *http.Response) {
		tree, _ := io.ReadAll(r.Body)
		tree = regexp.MustCompile(`size="\d+" bytes="4"`).ReplaceAll(tree, []byte(`size="2048" bytes="2097152"`))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(tree)), int64(len(tree))
		r.Header.Set("Content-Length", fmt.Sprint(len(tree)))
	})
	film := make([]byte, 2<<20)
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/film") {
			return false
		}
		w.Header().Set("ETag", `"film"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(film))
		return true
	})
	m.sh(`"$PAPERFS" refresh media; test $(stat -c %s media/film0) = 2097152; printf first > media/first; cat media/first`)
	limit := unix.Rlimit{Cur: uint64(m.descriptors() + more)}
	limit.Max = limit.Cur
	require.NoError(t, unix.Prlimit(m.process.Process.Pid, unix.RLIMIT_NOFILE, &limit, nil))
	m.sh(`head -qc1 media/film* > /dev/null; printf second > media/second; "$PAPERFS" wait .; cat media/second media/film7 | wc -c`)
	require.Less(t, m.descriptors(), int(limit.Cur))
	require.Equal(t, sum("second"), m.atService()["second"])
}
