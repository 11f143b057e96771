package mountpoint

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/testrun"
)

// TestMain makes the test binary the process that maps a file, if HOLD_MAPPED is set.
func TestMain(m *testing.M) {
	if path := os.Getenv("HOLD_MAPPED"); path != "" {
		holdMapped(path)
		return
	}
	os.Exit(m.Run())
}

func holdMapped(path string) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	if _, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		panic(err)
	}
	f.Close()
	os.Stdout.WriteString("ready\n")
	os.Stdin.Read(make([]byte, 1))
}

// hold starts a process that ends with the test, waits until it has printed a line, and returns its
// id.
func hold(t *testing.T, cmd *exec.Cmd) int {
	in := testrun.Must(cmd.StdinPipe())(t)
	out := testrun.Must(cmd.StdoutPipe())(t)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	testrun.Must(bufio.NewReader(out).ReadString('\n'))(t)
	return cmd.Process.Pid
}

func TestHolders(t *testing.T) {
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	mount := filepath.Join(dir, "mount")
	require.NoError(t, os.MkdirAll(filepath.Join(mount, "sub"), 0o755))
	require.NoError(t, os.MkdirAll(mount+"-other", 0o755))
	file := filepath.Join(mount, "sub", "file with blanks")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o644))
	require.Empty(t, Holders(mount))

	standing := exec.Command("sh", "-c", "echo ready; read x")
	standing.Dir = filepath.Join(mount, "sub")
	beside := exec.Command("sh", "-c", "echo ready; read x")
	beside.Dir = mount + "-other"
	mapping := exec.Command(os.Args[0])
	mapping.Env = append(os.Environ(), "HOLD_MAPPED="+file)
	want := map[int]Holder{}
	add := func(pid int, use Use, path string) { want[pid] = Holder{PID: pid, Use: use, Path: path} }
	hold(t, beside)
	add(hold(t, standing), workingDir, standing.Dir)
	add(hold(t, exec.Command("sh", "-c", `exec 3<"$1"; echo ready; read x`, "sh", file)), openFile, file)
	add(hold(t, mapping), mappedFile, file)

	found := Holders(mount)
	require.Len(t, found, len(want))
	for _, h := range found {
		require.NotEmpty(t, h.Command)
		h.Command = ""
		require.Equal(t, want[h.PID], h)
	}
}
