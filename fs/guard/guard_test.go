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
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// serveArgument makes the test binary serve a mount. The next arguments are the directory and, for a
// guard that comes late, a file that the guard creates before it waits.
const serveArgument = "serve-mount"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case guard.Argument:
			comesLate(os.Args[2], os.Args[3])
			os.Exit(guard.Run(os.Args[2:]))
		case serveArgument:
			serve(os.Args[2], len(os.Args) > 3)
			return
		}
	}
	os.Exit(m.Run())
}

// root is a directory that never answers a lookup.
type root struct {
	gofs.Inode
	asked chan struct{}
}

func (r *root) Lookup(context.Context, string, *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	close(r.asked)
	select {}
}

// serve mounts at dir. Once a program looks up a name, serve notifies the kernel of a name in that
// directory. The notification waits in the kernel for the lookup.
func serve(dir string, late bool) {
	r := &root{asked: make(chan struct{})}
	direct, err := mountpoint.CheckFUSE()
	var server *fuse.Server
	if err == nil {
		server, err = mountpoint.NewServer(gofs.NewNodeFS(r, &gofs.Options{}), dir, &fuse.MountOptions{DirectMountStrict: direct})
	}
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	if err := mountpoint.Serve(server); err != nil {
		fmt.Println("failed:", err)
		return
	}
	m, _, err := mountpoint.At(dir)
	var c guard.Connection
	if err == nil {
		c, err = guard.Of(m.Device)
	}
	switch {
	case err == nil && late:
		go guard.Start(c) // does not return
	case err == nil:
		err = guard.Start(c)
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

// comesLate delays a guard until the thread that started it has ended, if the mount's arguments
// request that.
func comesLate(pid, tid string) {
	line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
	args := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	if len(args) < 4 {
		return
	}
	if err := os.WriteFile(args[3], nil, 0o600); err != nil {
		panic(err)
	}
	for there := true; there; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/task/" + tid + "/stat")
		there = err == nil && !strings.Contains(string(stat), ") Z") // the first thread is a zombie until all have ended
	}
}

// TestAKilledMountLeavesNobodyWaiting kills a mount whose notification waits in the kernel for a
// request that nothing will answer, and checks that the mount and the requesting program end.
func TestAKilledMountLeavesNobodyWaiting(t *testing.T) {
	s := start(t)
	s.stuck()
	s.killedEnds()
}

// TestAGuardThatComesLate checks a guard that has missed the signal that reports the mount's end.
func TestAGuardThatComesLate(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "guard")
	s := start(t, marker)
	require.Eventually(t, func() bool { _, err := os.Stat(marker); return err == nil }, testrun.Patience(), time.Millisecond)
	s.stuck()
	s.killedEnds()
}

// TestAConnectionIsKnownByMoreThanItsNumber checks that an abort does not end another connection
// with the same number, which the kernel soon reuses.
func TestAConnectionIsKnownByMoreThanItsNumber(t *testing.T) {
	s := start(t)
	m, ok := testrun.Must2(mountpoint.At(s.dir))(t)
	require.True(t, ok)
	c := testrun.Must(guard.Of(m.Device))(t)
	again, ok := guard.Parse(c.String())
	require.True(t, ok)
	require.Equal(t, c, again)

	number, _, _ := strings.Cut(c.String(), " ")
	former, ok := guard.Parse(number + " 1")
	require.True(t, ok)
	require.NoError(t, former.Abort(), "the connection has ended")
	s.stuck()
	require.Eventually(t, func() bool { return waits(s.Process.Pid) }, testrun.Patience(), time.Millisecond, "another connection continues")
	require.NoError(t, c.Abort())
	s.killedEnds()
	require.NoError(t, c.Abort(), "the connection has ended")
	_, ok = guard.Parse("39")
	require.False(t, ok)
}

// server is a process that serves a mount.
type server struct {
	*exec.Cmd
	t      *testing.T
	dir    string
	looker *exec.Cmd
}

func start(t *testing.T, args ...string) *server {
	programtest.Mounting(t)
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	s := &server{exec.Command("/proc/self/exe", append([]string{serveArgument, dir}, args...)...), t, dir, nil}
	out := testrun.Must(s.StdoutPipe())(t)
	require.NoError(t, s.Start())
	t.Cleanup(func() {
		_ = s.Process.Kill()
		_ = mountpoint.Detach(dir)
	})
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "mounted\n" {
		missing(t, "fusectl, at /sys/fs/fuse/connections ("+strings.TrimSpace(line)+")")
	}
	return s
}

// stuck makes the mount's notification wait in the kernel for a lookup.
func (s *server) stuck() {
	s.looker = exec.Command("stat", filepath.Join(s.dir, "name"))
	require.NoError(s.t, s.looker.Start())
	require.Eventually(s.t, func() bool { return waits(s.Process.Pid) }, testrun.Patience(), 5*time.Millisecond)
}

func (s *server) killedEnds() {
	require.NoError(s.t, s.Process.Kill())
	ended := make(chan struct{})
	go func() {
		_ = s.Wait()
		_ = s.looker.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(testrun.Patience()):
		s.t.Fatal("the killed mount, or a program that waits for it, does not end")
	}
}

// waits reports whether a thread of a process waits uninterruptibly in the kernel.
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

// missing ends a test that cannot run on this machine. The connections of an ordinary user may be
// out of its reach, which is nothing that can be installed.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("%s is missing", what)
	}
	testrun.Missing(t, what)
}
