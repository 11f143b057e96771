package mounttest

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// keeper keeps a mount in a mount namespace of its own, where it runs a line of shell, until
// release.
func keeper(m *mounted, line string) (pid int, release func()) {
	m.t.Helper()
	testrun.Program(m.t, "unshare")
	if os.Geteuid() != 0 {
		m.t.Skip("only root can create a mount namespace")
	}
	cmd := programtest.Command(m.t, 0, "unshare", "--mount", "--propagation", "private", "sh", "-c", `
		while read -r _ dir type _; do # mounts of other tests, which would not end
			case $type in fuse.*) test "$dir" = "$1" || umount -l "$dir" ;; esac
		done < /proc/self/mounts
		`+line+`; echo there; exec cat`, "sh", m.dir)
	in := testrun.Must(cmd.StdinPipe())(m.t)
	out := testrun.Must(cmd.StdoutPipe())(m.t)
	require.NoError(m.t, cmd.Start())
	testrun.Must(bufio.NewReader(out).ReadString('\n'))(m.t)
	return cmd.Process.Pid, func() {
		require.NoError(m.t, in.Close())
		require.NoError(m.t, cmd.Wait())
	}
}

// TestAnUnmountWhereAnotherNamespaceHasTheMount checks that a mount ends that another mount
// namespace still has, if no program uses it there.
func TestAnUnmountWhereAnotherNamespaceHasTheMount(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	_, release := keeper(m, ":")
	said, err := m.command("umount", m.dir)
	require.NoError(t, err, said)
	requireEnds(t, "the mount", m.exited)
	m.start()
	m.sh(`ls papers`)
	release()
}

// TestAMountNamespaceThatUsesAMount checks that umount and the next mount name the process that
// uses the mount in another mount namespace, and what to do.
func TestAMountNamespaceThatUsesAMount(t *testing.T) {
	t.Parallel()
	needFusectl(t) // the next mount knows the kernel's connection by it
	m := newMount(t)
	user, release := keeper(m, `exec 3<"$1"/README.txt`)

	umount := programtest.Command(t, testrun.Patience(), paperfs, "umount", m.dir)
	umount.Dir, umount.Env = m.home, m.environment()
	words := testrun.Must(umount.StderrPipe())(t)
	require.NoError(t, umount.Start())
	said := bufio.NewReader(words)
	line, err := said.ReadString('\n')
	require.NoError(t, err)
	require.Regexp(t, `unmounted here; waiting for process \d+, for at most 1m0s: other mount namespaces .* still have the mount`, line)
	named := fmt.Sprintf("  cat (process %d): a mount namespace that shows it at %s\n", user, m.dir)
	for line != named { // another test may have a namespace too
		line, err = said.ReadString('\n')
		require.NoError(t, err, "umount does not print:%s", named)
	}

	refused, err := m.command("mount", m.dir)
	require.Error(t, err)
	require.Regexp(t, `is unmounted here, but process \d+ still serves it.* run: kill \d+`, refused)
	require.NotContains(t, refused, "paperfs umount")
	require.NoError(t, m.process.Process.Signal(syscall.Signal(0)), "the mount's process must still run")

	release()
	requireEnds(t, "the mount", m.exited)
	require.NoError(t, umount.Wait())
	m.start()
	m.sh(`ls papers`)
}
