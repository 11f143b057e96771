package fs_test

import (
	"bufio"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
)

// TestAMountNamespaceThatKeepsAMount: umount and the next mount name who keeps
// it, and what to do.
func TestAMountNamespaceThatKeepsAMount(t *testing.T) {
	needFusectl(t)
	need(t, "unshare")
	if os.Geteuid() != 0 {
		t.Skip("only root makes a mount namespace")
	}
	m := newMount(t)
	keeper := programtest.Command(t, 0, "unshare", "--mount", "--propagation", "private", "sh", "-c", "echo there; exec cat")
	in, err := keeper.StdinPipe()
	require.NoError(t, err)
	out, err := keeper.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, keeper.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)

	said, err := m.command("umount", m.dir)
	require.Error(t, err)
	require.Regexp(t, `(?s)unmounted here, but process \d+ goes on: other mount namespaces .* kill \d+\n  (cat|sh) \(process \d+\): a mount namespace that shows it at `+m.dir, said)
	said, err = m.command("mount", m.dir)
	require.Error(t, err)
	require.Regexp(t, `(?s)mounted already at .*\. It is unmounted here, but other mount namespaces .* kill \d+\n  cat \(process \d+\): `, said)
	require.NoError(t, m.process.Process.Signal(syscall.Signal(0)), "it goes on")

	require.NoError(t, in.Close())
	require.NoError(t, keeper.Wait())
	ends(t, "the mount", m.exited)
	m.start()
	m.sh(`ls papers`)
}
