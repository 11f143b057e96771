package main

import (
	"os"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestAMountWithoutRoomForItsStateSaysSo checks that mount fails, names the full disk, and says
// what to do.
func TestAMountWithoutRoomForItsStateSaysSo(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	e := newEnvironment(t)
	disk := e.path("small")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=4k"); err != nil {
		testrun.Missing(t, "the right to mount a tmpfs")
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	require.NoError(t, os.WriteFile(e.path("small", "filler"), make([]byte, 4096), 0o600))
	e.set("XDG_STATE_HOME", disk)
	e.fail(cli.ExitFailure, "The disk that holds "+e.path("small", "paperfs"), "mount", e.path("mnt"))
	e.fail(cli.ExitFailure, "is full: free some space there and mount again", "mount", e.path("mnt"))
}
