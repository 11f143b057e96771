package main

import (
	"os"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestAMountStartsWithoutAlarm checks that the first line of a mount says that it is mounted, also
// where fusectl is missing.
func TestAMountStartsWithoutAlarm(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	require.Regexp(t, `^paperfs: mounted `, p.stderr.String())
}

// TestAnAddressWithoutServiceIsExplainedOnce checks that no reason and no advice comes twice.
func TestAnAddressWithoutServiceIsExplainedOnce(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_USERNAME", "me")
	e.set("PAPERFS_PASSWORD", "secret")
	for address, says := range map[string]string{"http://127.0.0.1:9": "nothing listens there. Run: curl -sI http://127.0.0.1:9/\n"} {
		_, _, stderr := e.run("mount", "--url", address, e.path("ipaper"))
		require.Contains(t, stderr, says)
		for _, once := range []string{"Check", "--url", "cannot be looked up", "connection refused"} {
			require.Equal(t, 1, strings.Count(stderr, once), "%s in %s", once, stderr)
		}
	}
}

// TestAReadOnlyDiskIsBlamed checks that a mount names what it cannot write, and where that is
// mounted.
func TestAReadOnlyDiskIsBlamed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	e := newEnvironment(t)
	disk := e.path("disk")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	require.NoError(t, os.Mkdir(disk+"/state", 0o700))
	require.NoError(t, programtest.Command(t, testrun.Patience(), "mount", "-o", "remount,ro", disk).Run())
	e.set("XDG_STATE_HOME", disk+"/state")
	for _, args := range [][]string{{"mount"}, {"mount", "--daemon"}} {
		code, _, stderr := e.run(append(args, e.path("mnt"))...)
		require.Equal(t, cli.ExitFailure, code)
		require.Contains(t, stderr, "read-only file system\nRun as root: mount -o remount,rw "+disk+" (dmesg")
		require.NotRegexp(t, `^paperfs: --log-file`, stderr)
	}
}
