package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"
)

// TestACommandInASilentMountCanBeEnded checks that a signal ends a command that waits for a stopped
// mount. The kernel does not release the process that makes the request, so the command starts a
// child process for it.
func TestACommandInASilentMountCanBeEnded(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_TEST_SILENCE", "1h") // otherwise the commands end by themselves
	m := e.mount()
	e.must("ls media")
	m.stop()
	t.Cleanup(func() { _ = m.cmd.Process.Signal(syscall.SIGCONT) })
	var commands []*process
	for _, args := range [][]string{{"status", e.path("ipaper")}, {"umount", e.path("ipaper")}} {
		p := e.start(args...)
		// The second command may wait for the first one's request: the kernel sends one look-up of a name at a time.
		require.Eventually(t, func() bool {
			return startsInside(p.cmd.Process.Pid) && unanswered(t, e.path("ipaper")) != 0
		}, testrun.Patience(), 10*time.Millisecond, "%v does not wait for the mount", args)
		p.signal(syscall.SIGTERM)
		commands = append(commands, p)
	}
	for _, p := range commands {
		require.Equal(t, 128+int(syscall.SIGTERM), p.wait(), p.cmd.Args)
	}
	m.signal(syscall.SIGCONT)
	e.must("ls media") // it is still mounted
}

// unanswered returns how many requests of the kernel a mount has not answered, or -1 where fusectl, which
// tells, is not mounted.
func unanswered(t *testing.T, dir string) int {
	t.Helper()
	at, mounted := testrun.Must2(mountpoint.At(dir))(t)
	require.True(t, mounted, "nothing is mounted at %s", dir)
	_, minor, _ := strings.Cut(at.Device, ":")
	text, err := os.ReadFile("/sys/fs/fuse/connections/" + minor + "/waiting")
	if err != nil {
		return -1
	}
	return testrun.Must(strconv.Atoi(strings.TrimSpace(string(text))))(t)
}

// startsInside reports whether a command has started the process that accesses the mount for it.
func startsInside(pid int) bool {
	return slices.ContainsFunc(childrenOf(pid), func(child int) bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
		return strings.Contains(string(text), "\x00"+serving.InsideArgument+"\x00")
	})
}
