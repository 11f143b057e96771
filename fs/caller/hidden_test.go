package caller

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// stopped starts a process that keeps a signal pending, like a process that the signal is about to
// end; 0 means no signal.
func stopped(t *testing.T, s syscall.Signal) uint32 {
	t.Helper()
	sleeper := programtest.Command(t, 0, "sleep", "60")
	require.NoError(t, sleeper.Start())
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })
	require.NoError(t, sleeper.Process.Signal(syscall.SIGSTOP))
	require.Eventually(t, func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", sleeper.Process.Pid))
		return err == nil && strings.Contains(string(status), "State:\tT")
	}, testrun.Patience(), time.Millisecond)
	if s != 0 {
		require.NoError(t, sleeper.Process.Signal(s))
	}
	return uint32(sleeper.Process.Pid)
}

// TestAHiddenExitCode checks processes that the caller may not trace: the kernel reports their exit
// code as 0, which is also the code of a normal end.
func TestAHiddenExitCode(t *testing.T) {
	stat := func(flags, code int) string { // fields 3 to 52 of proc(5)
		fields := strings.Fields(strings.Repeat("0 ", 50))
		fields[9-3], fields[52-3] = fmt.Sprint(flags), fmt.Sprint(code)
		return "77 (a program) " + strings.Join(fields, " ")
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGUSR1} {
		require.True(t, statIn(stat(flagSignaled, 0)).killed(stopped(t, s)), s)
	}
	quiet := stopped(t, 0)
	require.False(t, statIn(stat(flagSignaled, 0)).killed(quiet), "a multithreaded program that exits has the flag too")
	require.True(t, statIn(stat(flagSignaled|flagDumpedCore, 0)).killed(quiet))
	require.False(t, statIn(stat(0, 0)).killed(stopped(t, syscall.SIGTERM)), "the process exits by itself before it handles the signal")
	require.True(t, statIn(stat(flagSignaled, int(syscall.SIGKILL))).killed(quiet))
	require.False(t, statIn(stat(flagSignaled, 3<<8)).killed(quiet))
}
