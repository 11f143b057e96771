package mounttest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// deadMount is a mount that was killed together with its guard while it waited in the kernel. A
// program that accesses it waits forever, and cannot be killed.
type deadMount struct {
	*mounted
	device string
	moved  <-chan struct{} // closed when the waiting mover has ended
}

// newDead creates such a mount. It calls before ahead of the wait in the kernel, and then ahead of
// the kill. The end of the test cleans it up.
func newDead(t *testing.T, before, then func(*mounted)) *deadMount {
	needFusectl(t)
	m, o := shared(t)
	at, there := testrun.Must2(mountpoint.At(m.dir))(t)
	require.True(t, there)
	connection := testrun.Must(guard.Of(at.Device))(t)
	before(m)
	d := &deadMount{m, at.Device, m.stuck(o)}
	t.Cleanup(func() { _ = connection.Abort() })
	then(m)
	require.NoError(t, syscall.Kill(m.guard(), syscall.SIGKILL))
	require.NoError(t, m.process.Process.Kill())
	t.Cleanup(m.detachAny(m.dir))
	until(t, "the killed mount is dying", func() bool { return guard.Dying(m.process.Process.Pid) })
	return d
}

func nothing(*mounted) {}

// detachAny detaches whatever is mounted at a directory.
func (m *mounted) detachAny(dir string) func() {
	return func() {
		for _, there, _ := mountpoint.At(dir); there; _, there, _ = mountpoint.At(dir) {
			if mountpoint.Detach(dir) != nil {
				return
			}
		}
	}
}

// requireEnded requires that the mount and all programs that waited for it have ended, and that the
// next mount starts.
func (d *deadMount) requireEnded(t *testing.T) {
	t.Helper()
	requireEnds(t, "the killed mount", d.exited)
	requireEnds(t, "the program that waits for it", d.moved)
	d.start()
	d.sh(`ls papers`)
}

// TestNoCommandWaitsForADeadMount checks that each command says that the mount was killed.
func TestNoCommandWaitsForADeadMount(t *testing.T) {
	t.Parallel()
	d := newDead(t, nothing, nothing)
	link := filepath.Join(d.home, "link")
	require.NoError(t, os.Symlink(d.dir, link))
	for _, args := range []string{
		"status DIR", "status --json DIR", "status LINK", "stat DIR/papers/A", "stat DIR/papers/New", "why DIR/papers/A",
		"refresh DIR", "refresh LINK/papers", "wait DIR", "wait DIR/papers/C/X.paper", "retry DIR", "retry DIR/media/x", "discard DIR/media/x",
	} {
		out, err := d.command(strings.Fields(strings.NewReplacer("DIR", d.dir, "LINK", link).Replace(args))...)
		require.ErrorContains(t, err, "exit status 4", "%s: %s", args, out)
		require.Contains(t, out, "was killed, and it no longer answers. Run: paperfs umount "+d.dir, args)
	}
	out, err := d.command("umount", "--wait", d.dir)
	require.Error(t, err)
	require.Contains(t, out, "was killed, so nothing is being sent")
	out, err = d.command("umount", d.dir)
	require.NoError(t, err, "%s", out)
	d.requireEnded(t)
}

// TestACommandAtAMountThatIsKilled checks that a command that already waits in the kernel for the
// mount ends.
func TestACommandAtAMountThatIsKilled(t *testing.T) {
	t.Parallel()
	type end struct {
		out string
		err error
	}
	ended := make(chan end, 1)
	d := newDead(t, nothing, func(m *mounted) {
		go func() {
			out, err := m.command("stat", filepath.Join(m.dir, "papers", "Other"))
			ended <- end{out, err}
		}()
		until(t, "a command waits for the mount in the kernel", func() bool { return looksInside(m.dir) })
	})
	e := <-ended
	require.ErrorContains(t, e.err, "exit status 4", "%s", e.out)
	require.Contains(t, e.out, "was killed, and it no longer answers")
	out, err := d.command("umount", d.dir)
	require.NoError(t, err, "%s", out)
	d.requireEnded(t)
}

// looksInside reports whether a process that accesses a mount for a command waits in the
// kernel, and cannot be killed.
func looksInside(dir string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		line, _ := os.ReadFile(path)
		if !strings.Contains(string(line), "\x00inside-mount\x00") || !strings.Contains(string(line), dir) {
			continue
		}
		threads, _ := filepath.Glob(filepath.Dir(path) + "/task/*/stat")
		for _, thread := range threads {
			stat, _ := os.ReadFile(thread)
			if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "D") {
				return true
			}
		}
	}
	return false
}

// TestAShellInADeadMount checks that a shell in it can ask for its state and unmount it.
func TestAShellInADeadMount(t *testing.T) {
	t.Parallel()
	var tell io.WriteCloser
	said, ended := &output{changed: make(chan struct{}, 1)}, make(chan struct{})
	d := newDead(t, func(m *mounted) {
		shell := programtest.Command(t, testrun.Patience(), "bash", "-c", `echo stands; read x; "$PAPERFS" status .; echo "status: $?"; "$PAPERFS" refresh papers/A; echo "refresh: $?"; "$PAPERFS" umount .; echo "umount: $?"`)
		shell.Dir, shell.Env, shell.Stdout, shell.Stderr = m.dir, m.environment(), said, said
		var err error
		tell, err = shell.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, shell.Start())
		go func() {
			_ = shell.Wait()
			close(ended)
		}()
		require.True(t, said.waitFor("stands", ended))
	}, nothing)
	testrun.Must(io.WriteString(tell, "go\n"))(t)
	requireEnds(t, "the shell", ended)
	for _, line := range []string{"was killed, and it no longer answers", "status: 4\n", "refresh: 4\n", "umount: 0\n"} {
		require.Contains(t, said.String(), line)
	}
	d.requireEnded(t)
}

// TestADeadMountWhoseHomeIsAnother checks a mount for which this user has no record of the server.
// Since 6.16, Linux shows the server for processes that this one may inspect; otherwise a command
// gives up when the mount has not answered for a while.
func TestADeadMountWhoseHomeIsAnother(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string][]string{
		"processes visible": nil,
		"processes hidden":  {"unshare", "--pid", "--fork", "--mount-proc", "--propagation", "unchanged"},
	} {
		t.Run(name, func(t *testing.T) {
			if wrap != nil && os.Geteuid() != 0 {
				t.Skip("only root can hide processes")
			}
			d := newDead(t, nothing, nothing)
			command := func(args ...string) (string, error) {
				line := append(append(wrap[:len(wrap):len(wrap)], paperfs), args...)
				cmd := programtest.Command(t, testrun.Patience(), line[0], line[1:]...)
				cmd.Dir, cmd.Env = d.home, programtest.Bare("HOME="+filepath.Join(d.home, "other"), "PAPERFS_TEST_SILENCE=1s")
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			_, dying, found := guard.Server(d.device)
			told := wrap == nil && found
			require.True(t, dying || !told)
			out, err := command("status", d.dir)
			require.ErrorContains(t, err, "exit status 4", out)
			if told {
				require.Contains(t, out, "was killed, and it no longer answers")
				out, err = command("umount", d.dir)
			} else {
				require.Contains(t, out, "has not answered for 1s")
				out, err = command("umount", d.dir)
				require.ErrorContains(t, err, "exit status 4", out)
				require.Contains(t, out, "paperfs umount --force "+d.dir)
				out, err = command("umount", "--force", d.dir)
			}
			require.NoError(t, err, "%s", out)
			d.requireEnded(t)
		})
	}
}
