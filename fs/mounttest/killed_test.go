package mounttest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// needFusectl skips a test if no process could end a connection; only root can mount fusectl.
func needFusectl(t *testing.T) {
	t.Helper()
	var s syscall.Statfs_t
	switch err := syscall.Statfs("/sys/fs/fuse/connections", &s); {
	case err == nil && s.Type == 0x65735543: // the magic number of fusectl
	case os.Geteuid() == 0:
		testrun.Missing(t, "fusectl, at /sys/fs/fuse/connections")
	default:
		t.Skip("fusectl is missing at /sys/fs/fuse/connections")
	}
}

// stuck makes a thread of the mount wait in the kernel: it notifies of a name in a directory that
// is being moved elsewhere, which the kernel locks too. moved is closed when the mover has ended.
func (m *mounted) stuck(o others) (moved <-chan struct{}) {
	m.t.Helper()
	m.sh(`! test -e papers/A/In.paper; ls papers/A`)
	m.t.Cleanup(m.proxy.Freeze(remote.MovePaper))
	m.proxy.Reset()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = m.run("bash", `mv papers/A papers/C/`)
	}()
	m.waitForRequest(remote.MovePaper)
	o.paper("/a/", "In", "in")
	m.sh(reread)
	until(m.t, "a notification waits in the kernel", func() bool { return notifies(m.process.Process.Pid) })
	return ended
}

// notifies reports whether a thread of a process sends a notification of an
// entry, and waits in the kernel.
func notifies(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, thread := range threads {
		stat, _ := os.ReadFile(thread + "/stat")
		_, after, _ := strings.Cut(string(stat), ") ")
		where, _ := os.ReadFile(thread + "/wchan")
		if strings.HasPrefix(after, "D") && (string(where) == "0" || strings.HasPrefix(string(where), "fuse_")) {
			return true
		}
	}
	return false
}

// stopGuard stops the mount's guard until the test calls let.
func (m *mounted) stopGuard() (let func()) {
	m.t.Helper()
	pid := m.guard()
	require.NoError(m.t, syscall.Kill(pid, syscall.SIGSTOP))
	let = sync.OnceFunc(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	m.t.Cleanup(let)
	return let
}

// guard returns the process that guards the mount.
func (m *mounted) guard() int {
	m.t.Helper()
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		line, _ := os.ReadFile(path)
		args := bytes.Split(line, []byte{0})
		if len(args) < 3 || string(args[1]) != "guard-connection" || string(args[2]) != strconv.Itoa(m.process.Process.Pid) {
			continue
		}
		return testrun.Must(strconv.Atoi(filepath.Base(filepath.Dir(path))))(m.t)
	}
	m.t.Fatal("the mount has no guard")
	return 0
}

// command runs paperfs outside the mount.
func (m *mounted) command(args ...string) (string, error) {
	cmd := programtest.Command(m.t, testrun.Patience(), paperfs, args...)
	cmd.Dir, cmd.Env = m.home, m.environment()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// requireEnds waits until ended is closed.
func requireEnds(t *testing.T, what string, ended <-chan struct{}) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(testrun.Patience()):
		t.Fatalf("%s does not end", what)
	}
}

// TestAMountThatCannotEnd checks a mount that was killed while it waited in the kernel. Each of
// these ends it and the programs that wait for it, and the next mount starts.
func TestAMountThatCannotEnd(t *testing.T) {
	t.Parallel()
	for name, mend := range map[string]func(m *mounted){
		"the guard": func(*mounted) {},
		"umount": func(m *mounted) {
			out, err := m.command("umount", m.dir)
			require.NoError(m.t, err, "%s", out)
		},
		"umount --force, through a link": func(m *mounted) {
			link := filepath.Join(m.home, "link")
			require.NoError(m.t, os.Symlink(m.dir, link))
			out, err := m.command("umount", "--force", link)
			require.NoError(m.t, err, "%s", out)
		},
		"the next mount":                         func(m *mounted) { m.start() },
		"the next mount, after a detach":         func(m *mounted) { m.detach(); m.start() },
		"the next mount, at another mount point": func(m *mounted) { m.dir = filepath.Join(m.home, "other"); m.start() },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "umount" || strings.HasPrefix(name, "the next mount, ") {
				testrun.Long(t, "ends the mount in another way")
			}
			t.Parallel()
			needFusectl(t)
			m, o := shared(t)
			moved := m.stuck(o)
			if name != "the guard" {
				m.stopGuard()
			}
			process, exited, dir := m.process.Process, m.exited, m.dir
			t.Cleanup(func() { _ = mountpoint.Detach(dir) })
			require.NoError(t, process.Kill())
			mend(m)
			requireEnds(t, "the killed mount", exited)
			requireEnds(t, "the program that waits for it", moved)
			if m.process.Process == process {
				m.start()
			}
			m.sh(reread + `; ls papers`)
		})
	}
}

// TestAGuardThatIsHeldUp checks that the guard ends the connection when it continues.
func TestAGuardThatIsHeldUp(t *testing.T) {
	t.Parallel()
	needFusectl(t)
	m, o := shared(t)
	moved := m.stuck(o)
	let := m.stopGuard()
	require.NoError(t, m.process.Process.Kill())
	let()
	requireEnds(t, "the killed mount", m.exited)
	requireEnds(t, "the program that waits for it", moved)
	m.start()
	m.sh(reread + `; ls papers`)
}

// TestWhatCannotBeEndedIsSaid checks that, without fusectl, the message says what root must do. The
// test hides fusectl from one command.
func TestWhatCannotBeEndedIsSaid(t *testing.T) {
	t.Parallel()
	needFusectl(t)
	testrun.Program(t, "unshare")
	if os.Geteuid() != 0 {
		t.Skip("only root can hide fusectl")
	}
	m, o := shared(t)
	moved := m.stuck(o)
	m.stopGuard()
	require.NoError(t, m.process.Process.Kill())
	cmd := programtest.Command(t, testrun.Patience(), "unshare", "-m", "sh", "-c", `umount /sys/fs/fuse/connections && exec "$0" umount --force "$1"`, paperfs, m.dir)
	cmd.Dir, cmd.Env = m.home, m.environment()
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "%s", out)
	require.Contains(t, string(out), "is detached, but programs may wait for it forever")
	require.Regexp(t, `Run as root: mount -t fusectl none /sys/fs/fuse/connections; echo 1 > /sys/fs/fuse/connections/\d+/abort`, string(out))
	said, err := m.command("umount", "--force", m.dir) // detached in the other mount namespace, but not in this one
	require.NoError(t, err, "%s", said)
	requireEnds(t, "the killed mount", m.exited)
	requireEnds(t, "the program that waits for it", moved)
}

// TestMountsKilledWhileTheyNotify kills mounts at any moment while a rename waits for its upload
// and the mount notifies the kernel of others' changes. PAPERFS_TEST_KILLS is the number of kills.
func TestMountsKilledWhileTheyNotify(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "kills mounts at any moment")
	needFusectl(t)
	kills := 3
	if n, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_KILLS")); err == nil {
		kills = max(kills, n)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	m, o, dir, _ := sharedMedia(t)
	m.proxy.Delay(remote.UploadFile, 20*time.Millisecond)
	for i := range kills {
		stop := make(chan struct{})
		var busy sync.WaitGroup
		for _, script := range []string{
			// After a kill, what the former mount was sending may be there, and is not replaced unseen: EBUSY once.
			`for ((n = 0; ; n++)); do echo $n > media/d/.t && mv media/d/.t media/d/new || ls media/d || exit; done`,
			`while ` + reread + `; do :; done`,
		} {
			busy.Go(func() { _, _ = m.run("bash", script) })
		}
		busy.Go(func() {
			for k := 0; ; k++ {
				select {
				case <-stop:
					return
				default:
					_, _ = o.UploadFile(t.Context(), dir, fmt.Sprintf("n%d", k%5), bytesOf(fmt.Sprint(i, k)))
				}
			}
		})
		m.proxy.Reset()
		m.waitForRequest(remote.UploadFile)
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		require.NoError(t, m.process.Process.Kill())
		requireEnds(t, "the killed mount", m.exited)
		close(stop)
		waited := make(chan struct{})
		go func() { busy.Wait(); close(waited) }()
		requireEnds(t, "the program that waits for it", waited)
		m.start()
		m.sh(`ls media/d`)
	}
}
