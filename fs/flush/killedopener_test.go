package flush

import (
	"os"
	programs "os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestSessionsInDoubtAreOne checks that two sessions that cannot be distinguished count as one.
func TestSessionsInDoubtAreOne(t *testing.T) {
	const own, another session = 7, 8
	for _, c := range []struct {
		killed, writer session
		orphan         bool
	}{
		{own, own, true},
		{own, another, false},
		{own, outside, false}, // a session of this namespace cannot be outside of it
		{outside, own, false},
		{outside, outside, true}, // in doubt: these may be two sessions
		{own, unknown, true},
		{unknown, own, true},
		{unknown, outside, true},
	} {
		require.Equal(t, c.orphan, c.killed.mayBe(c.writer), "%d %d", c.killed, c.writer)
	}
}

func TestWhoGoesOnInASession(t *testing.T) {
	me := uint32(os.Getpid())
	require.False(t, killedOpener{}.mayOrphan(me), "no opener was killed")
	require.True(t, killedOpener{set: true, session: sessionOf(me)}.mayOrphan(me))

	daemon := programs.Command("cat") // also ends if this process ends
	daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in := testrun.Must(daemon.StdinPipe())(t)
	require.NoError(t, daemon.Start())
	defer daemon.Wait()
	defer in.Close()
	require.False(t, killedOpener{set: true, session: sessionOf(me)}.mayOrphan(uint32(daemon.Process.Pid)), "the process has its own session")

	gone := programs.Command("true")
	require.NoError(t, gone.Run())
	require.Equal(t, unknown, sessionOf(uint32(gone.Process.Pid)))
}
