package fs_test

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
)

// TestAMountNamespaceThatKeepsAMount checks that umount and the next mount name the process that
// keeps the mount, and what to do.
func TestAMountNamespaceThatKeepsAMount(t *testing.T) {
	needFusectl(t)
	need(t, "unshare")
	if os.Geteuid() != 0 {
		t.Skip("only root can create a mount namespace")
	}
	m := newMount(t)
	keeper := programtest.Command(t, 0, "unshare", "--mount", "--propagation", "private", "sh", "-c", `
		while read -r _ dir type _; do # mounts of other tests, which would not end
			case $type in fuse.*) test "$dir" = "$1" || umount -l "$dir" ;; esac
		done < /proc/self/mounts
		echo there; exec cat`, "sh", m.dir)
	in, err := keeper.StdinPipe()
	require.NoError(t, err)
	out, err := keeper.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, keeper.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)

	umount := programtest.Command(t, patience, program, "umount", m.dir)
	umount.Dir, umount.Env = m.home, m.environment()
	words, err := umount.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, umount.Start())
	said := bufio.NewReader(words)
	line, err := said.ReadString('\n')
	require.NoError(t, err)
	require.Regexp(t, `unmounted here; waiting for process \d+: other mount namespaces .* kill -KILL \d+ .*\n`, line)
	named := fmt.Sprintf("  cat (process %d): a mount namespace that shows it at %s\n", keeper.Process.Pid, m.dir)
	for line != named { // another test may have a namespace too
		line, err = said.ReadString('\n')
		require.NoError(t, err, "umount does not print:%s", named)
	}

	refused, err := m.command("mount", m.dir)
	require.Error(t, err)
	require.Regexp(t, `(?s)mounted already at .*\. It is unmounted here, but other mount namespaces .* kill -KILL \d+ .*\n`, refused)
	require.Contains(t, refused+"\n", named)
	require.NoError(t, m.process.Process.Signal(syscall.Signal(0)), "the mount's process must still run")

	require.NoError(t, in.Close())
	require.NoError(t, keeper.Wait())
	requireEnds(t, "the mount", m.exited)
	_ = umount.Wait() // it waits for at most a minute
	m.start()
	m.sh(`ls papers`)
}
