package mounttest

import (
	"bufio"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// TestAPlaceThatIsUsedAgain checks the end of a mount that another mount namespace still has. A
// program that uses the directory where it was is no program of the mount, and what is mounted
// there by now stays when the mount is detached.
func TestAPlaceThatIsUsedAgain(t *testing.T) {
	t.Parallel()
	t.Run("a program", func(t *testing.T) {
		t.Parallel()
		m := newMount(t)
		_, release := keeper(m, ":")
		require.NoError(t, syscall.Unmount(m.dir, 0))
		in := programtest.Command(t, testrun.Patience(), "sh", "-c", "echo there; exec sleep 3600")
		in.Dir = m.dir
		out := testrun.Must(in.StdoutPipe())(t)
		require.NoError(t, in.Start())
		testrun.Must(bufio.NewReader(out).ReadString('\n'))(t)
		require.NoError(t, m.process.Process.Signal(syscall.SIGTERM))
		requireEnds(t, "the mount", m.exited)
		require.Zero(t, m.process.ProcessState.ExitCode(), "it was not detached")
		require.NoError(t, in.Process.Kill())
		_ = in.Wait()
		release()
	})
	t.Run("a mount", func(t *testing.T) {
		t.Parallel()
		m := newMount(t)
		_, release := keeper(m, `exec 3<"$1"/README.txt`)
		require.NoError(t, syscall.Unmount(m.dir, 0))
		require.NoError(t, syscall.Mount("none", m.dir, "tmpfs", 0, "size=64k"))
		t.Cleanup(func() { _ = syscall.Unmount(m.dir, syscall.MNT_DETACH) })
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		for ended := false; !ended; {
			_ = m.process.Process.Signal(syscall.SIGTERM) // the second one detaches; equal signals that wait are one
			select {
			case <-m.exited:
				ended = true
			case <-again.C:
			}
		}
		require.NoError(t, syscall.Unmount(m.dir, 0), "the new mount must be there")
		release()
	})
}
