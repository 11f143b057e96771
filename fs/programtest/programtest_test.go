package programtest

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// childEnv makes the test binary the test process to kill.
const childEnv = "PROGRAMTEST_CHILD"

// left starts a program that leaves another process behind, and returns that process's id.
func left(t *testing.T) int {
	cmd := Command(t, testrun.Patience(), "sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!")
	out := testrun.Must(cmd.Output())(t)
	return testrun.Must(strconv.Atoi(strings.TrimSpace(string(out))))(t)
}

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
		return err != nil || strings.Contains(string(status), "State:\tZ")
	}, testrun.Patience(), time.Millisecond)
}

func TestWhatAProgramLeavesEndsWithTheTest(t *testing.T) {
	t.Parallel()
	var pid int
	t.Run("test", func(t *testing.T) {
		pid = left(t)
		require.NoError(t, syscall.Kill(pid, 0))
	})
	gone(t, pid)
}

// TestAKilledTestAndIgnoredSignals kills a test process that ignores SIGHUP, as under nohup, and
// SIGINT, as after a shell's &. It checks that the process's programs do not ignore these signals,
// and that they end.
func TestAKilledTestAndIgnoredSignals(t *testing.T) {
	t.Parallel()
	child := Command(t, testrun.Patience(), "sh", "-c", `trap "" HUP INT; exec "$0" -test.run '^TestChild$'`, os.Args[0])
	child.Env = Bare(childEnv + "=1")
	out := testrun.Must(child.StdoutPipe())(t)
	require.NoError(t, child.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Equal(t, "hangup interrupt", lines.Text())
	require.True(t, lines.Scan())
	pid := testrun.Must(strconv.Atoi(lines.Text()))(t)
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	gone(t, pid)
}

func TestChild(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		t.Skip("the process that TestAKilledTestAndIgnoredSignals kills")
	}
	// A child of the shell kills itself: a shell cannot trap a signal that was ignored when it started.
	said, err := Command(t, testrun.Patience(), "sh", "-c", `sh -c 'kill -HUP $$; echo ignored'; test $? = 129 && printf 'hangup '; sh -c 'kill -INT $$; echo ignored'; test $? = 130 && echo interrupt`).Output()
	require.NoError(t, err)
	testrun.Must(os.Stdout.Write(said))(t)
	testrun.Must(os.Stdout.WriteString(strconv.Itoa(left(t)) + "\n"))(t)
	select {}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	cmd := Command(t, time.Millisecond, "sleep", "600")
	cmd.WaitDelay = testrun.Patience()
	require.Error(t, cmd.Run())
}

func TestBare(t *testing.T) {
	t.Setenv("PAPERFS_URL", "http://of.the.one.who.tests")
	cmd := Command(t, testrun.Patience(), "env")
	cmd.Env = Bare("HOME=/nowhere")
	out := testrun.Must(cmd.Output())(t)
	require.Contains(t, string(out), "HOME=/nowhere\n")
	require.NotContains(t, string(out), "PAPERFS_URL")
	require.Contains(t, string(out), "PATH="+withoutScripts(os.Getenv("PATH"))+"\n")
}

// TestPythonIsTheProgram has a python3 that is a script, as a version manager's: programs of tests get the one that
// is a program, and the script where there is no other.
func TestPythonIsTheProgram(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	self := testrun.Must(os.Executable())(t)
	require.NoError(t, os.WriteFile(filepath.Join(dirs[0], "python3"), []byte("#!/bin/sh\n"), 0o700))
	require.NoError(t, os.Symlink(self, filepath.Join(dirs[2], "python3")))
	require.Equal(t, strings.Join(dirs[1:], ":"), withoutScripts(strings.Join(dirs, ":")))
	require.Equal(t, strings.Join(dirs[:2], ":"), withoutScripts(strings.Join(dirs[:2], ":")))
}
