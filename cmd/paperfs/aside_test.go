package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
)

// TestACommandInASilentMountCanBeEnded checks that a signal ends a command that waits for a stopped
// mount. The kernel does not release the process that makes the request, so the command starts a
// child process for it.
func TestACommandInASilentMountCanBeEnded(t *testing.T) {
	e := newEnvironment(t)
	e.set("PAPERFS_TEST_SILENCE", "1h") // otherwise the commands end by themselves
	m := e.mount()
	e.must("ls media")
	m.stop()
	t.Cleanup(func() { _ = m.cmd.Process.Signal(syscall.SIGCONT) })
	for _, args := range [][]string{{"status", e.path("ipaper")}, {"umount", e.path("ipaper")}} {
		before := unanswered(t, e.path("ipaper"))
		p := e.start(args...)
		require.Eventually(t, func() bool { return unanswered(t, e.path("ipaper")) > before }, patience, 10*time.Millisecond)
		p.signal(syscall.SIGTERM)
		require.Equal(t, 128+int(syscall.SIGTERM), p.wait(), args)
	}
	m.signal(syscall.SIGCONT)
	e.must("ls media") // it is still mounted
}

// unanswered returns how many requests of the kernel a mount has not answered.
func unanswered(t *testing.T, dir string) int {
	at, mounted, err := mountpoint.At(dir)
	require.NoError(t, err)
	require.True(t, mounted)
	_, minor, _ := strings.Cut(at.Device, ":")
	text, err := os.ReadFile("/sys/fs/fuse/connections/" + minor + "/waiting")
	if err != nil && os.Getenv("PAPERFS_TEST_STRICT") != "1" {
		t.Skip("no fusectl: ", err)
	}
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return n
}
