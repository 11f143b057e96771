package serving

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"
)

// TestTheEndOfAProcessIsSeen checks the limit of the wait, and the wait itself.
func TestTheEndOfAProcessIsSeen(t *testing.T) {
	program := exec.Command("sh", "-c", "read x")
	in := testrun.Must(program.StdinPipe())(t)
	require.NoError(t, program.Start())
	process := testrun.Must(unix.PidfdOpen(program.Process.Pid, 0))(t)
	defer unix.Close(process)
	ended := testrun.Must(HasEnded(process, time.Millisecond))(t)
	require.False(t, ended, "it still reads")
	require.NoError(t, in.Close())
	ended = testrun.Must(HasEnded(process, testrun.Patience()))(t)
	require.True(t, ended)
	_ = program.Wait()
}

// TestAMountThatNobodyRecorded checks that a place without records says nothing of its process.
func TestAMountThatNobodyRecorded(t *testing.T) {
	s, pid := Recorded(mountpoint.Mount{Dir: t.TempDir(), Device: "0:0"})
	require.Equal(t, Unknown, s)
	require.Zero(t, pid)
}

// TestAPathWithoutAMount checks that it is refused.
func TestAPathWithoutAMount(t *testing.T) {
	_, err := At(t.TempDir())
	require.ErrorIs(t, err, mountpoint.ErrNone)
}

// TestWhatCannotBeEndedIsSaid checks the words for waits that go on, and for other namespaces.
func TestWhatCannotBeEndedIsSaid(t *testing.T) {
	err := error(&StuckError{"/mnt", os.ErrPermission})
	require.ErrorContains(t, err, "/mnt is detached, but programs may wait for it forever")
	require.True(t, errors.Is(err, os.ErrPermission))
	words := KeptBy([]mountpoint.Holder{{PID: 7, Command: "sh", Use: "open file", Path: "/mnt/a"}})
	require.Contains(t, words, "\n  sh (process 7): open file /mnt/a")
}
