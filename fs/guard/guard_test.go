package guard_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
)

// patience bounds every wait.
const patience = 3 * time.Minute

// serveArgument has the test's program serve a mount.
const serveArgument = "serve-mount"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case guard.Argument:
			os.Exit(guard.Run())
		case serveArgument:
			serve(os.Args[2])
			return
		}
	}
	os.Exit(m.Run())
}

// root is a directory in which a look-up is never answered.
type root struct {
	gofs.Inode
	asked chan struct{}
}

func (r *root) Lookup(context.Context, string, *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	close(r.asked)
	select {}
}

// serve mounts at dir. Once something is looked up, it notifies the kernel of a
// name in that directory, which waits there for the look-up.
func serve(dir string) {
	r := &root{asked: make(chan struct{})}
	if _, err := gofs.Mount(dir, r, &gofs.Options{}); err != nil {
		fmt.Println("failed:", err)
		return
	}
	m, _, err := mountpoint.At(dir)
	if err == nil {
		err = guard.Start(m.Device)
	}
	if err != nil {
		fmt.Println("unguarded:", err)
		return
	}
	fmt.Println("mounted")
	<-r.asked
	_ = r.NotifyEntry("x")
	select {}
}

// TestAKilledMountLeavesNobodyWaiting: its notification waits in the kernel for
// a request that nobody answers any more. Both end.
func TestAKilledMountLeavesNobodyWaiting(t *testing.T) {
	if _, err := exec.LookPath("fusermount3"); err != nil {
		missing(t, "fusermount3")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	server := exec.Command("/proc/self/exe", serveArgument, dir)
	out, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = exec.Command("fusermount3", "-uz", dir).Run()
	})
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "mounted\n" {
		missing(t, "fusectl, at /sys/fs/fuse/connections ("+strings.TrimSpace(line)+")")
	}
	looker := exec.Command("stat", filepath.Join(dir, "name"))
	require.NoError(t, looker.Start())
	require.Eventually(t, func() bool { return waits(server.Process.Pid) }, patience, 5*time.Millisecond)
	require.NoError(t, server.Process.Kill())
	go func() {
		_ = server.Wait()
		_ = looker.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the killed mount, or who waits for it, does not end")
	}
}

// waits reports whether a thread of a process waits in the kernel and can not be
// interrupted.
func waits(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, path := range threads {
		stat, _ := os.ReadFile(path)
		if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "D") {
			return true
		}
	}
	return false
}

// missing skips a test, or fails it where PAPERFS_TEST_STRICT says that
// everything must be there, as root has it.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("PAPERFS_TEST_STRICT") == "1" && os.Geteuid() == 0 {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}
