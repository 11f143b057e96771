package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paperfs/cache/content/disk"
	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// smallDisk mounts a disk in memory.
func (e *environment) smallDisk(size string) string {
	e.t.Helper()
	if os.Geteuid() != 0 {
		e.t.Skip("only root can mount a disk")
	}
	disk := e.path("small")
	require.NoError(e.t, os.Mkdir(disk, 0o700))
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		testrun.Missing(e.t, "the right to mount a tmpfs")
	}
	e.t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	return disk
}

// TestDeletingMakesRoom fills the disk of a mount and its embedded service, whose reserve is larger than what a file
// needs: what is deleted then counts as free, and gives way to what is written.
func TestDeletingMakesRoom(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	disk := e.smallDisk("330m")
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		e.set(name, filepath.Join(disk, name))
	}
	e.mount()
	_, err := e.sh("for i in $(seq 30); do head -c 4000000 /dev/urandom > media/$i || exit 1; done")
	require.Error(t, err, "the disk is full")
	_, err = e.sh("head -c 4000000 /dev/urandom > media/more")
	require.Error(t, err)
	e.must("rm media/1 media/2 media/3; test $(df --output=avail -B1 . | tail -1) -ge 12000000")
	e.must("for i in a b; do head -c 4000000 /dev/urandom > media/$i || exit 1; done")
	e.must("rm media/4")
	_, err = e.sh("fallocate -l 90000000 media/large")
	require.Error(t, err)
	e.entry("file", "4") // all that is kept would not be enough
}

// TestWhatIsKeptOnAnotherDiskMakesNoRoom fills the disk of a mount's state, while the data of its embedded service is on
// another: a write fails, and nothing that is kept there is given up for it.
func TestWhatIsKeptOnAnotherDiskMakesNoRoom(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("XDG_STATE_HOME", filepath.Join(e.smallDisk("330m"), "state"))
	e.mount("--data", e.path("data"))
	e.must("for i in 1 2 3; do head -c 4000000 /dev/urandom > media/$i || exit 1; done; rm media/1 media/2")
	e.must(fmt.Sprintf("fallocate -l $(($(df --output=avail -B1 ../small | tail -1) - %d)) ../small/filler", disk.DefaultReserve+2_000_000))
	said, err := e.sh("head -c 4000000 /dev/urandom > media/more")
	require.Error(t, err)
	require.Contains(t, said, "No space left on device")
	e.entry("file", "1")
	e.entry("file", "2")
}

// TestWhatIsKeptCannotMakeRoomWhereNothingCanBeWritten fills the disk of the embedded service to its last byte: its records
// cannot even say that something is no longer kept. A close fails at once, and the log is not flooded.
func TestWhatIsKeptCannotMakeRoomWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	disk := e.smallDisk("64m")
	mounted := e.mount("--data", filepath.Join(disk, "data"))
	e.must("for i in 1 2 3 4 5; do head -c 3000000 /dev/urandom > media/$i || exit 1; done; rm media/*")
	_, err := e.sh("cat /dev/zero > ../small/filler")
	require.Error(t, err, "the disk is full")
	e.must("echo y > ../y; timeout 60 cp ../y media/y; test $? = 1")
	require.Less(t, strings.Count(mounted.stderr.String(), "is not removed"), 20)
}

// TestAMountWithoutRoomForItsFilesSaysSo checks that mount fails, names the full disk, that of its
// service's data, too, and says what to do.
func TestAMountWithoutRoomForItsFilesSaysSo(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	disk := e.smallDisk("4k")
	require.NoError(t, os.WriteFile(e.path("small", "filler"), make([]byte, 4096), 0o600))
	e.fail(cli.ExitFailure, "The disk that holds "+e.path("small", "data")+" is full: free", "mount", "--data", e.path("small", "data"), e.path("mnt"))
	e.set("XDG_STATE_HOME", disk)
	e.fail(cli.ExitFailure, "The disk that holds "+e.path("small", "paperfs"), "mount", e.path("mnt"))
	e.fail(cli.ExitFailure, "is full: free some space there and mount again", "mount", e.path("mnt"))
}

// TestAStateThatBecomesReadOnly checks that a change which the mount could not store is refused, and shows nothing, where the
// disk of its state is read-only by now; and that all works once that is mended.
func TestAStateThatBecomesReadOnly(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	disk := e.smallDisk("400m")
	e.set("XDG_STATE_HOME", filepath.Join(disk, "state"))
	e.mount("--write-back")
	e.must("mkdir media/d; echo one > media/one")
	e.succeed("wait", e.path("ipaper"))
	require.NoError(t, unix.Mount(disk, disk, "", unix.MS_BIND, ""))
	lift := func() { _ = unix.Unmount(disk, unix.MNT_DETACH) }
	t.Cleanup(lift)
	require.NoError(t, unix.Mount("", disk, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	for _, change := range []string{"mkdir media/e", "mv media/one media/two", "rm media/one", "rmdir media/d"} {
		said, err := e.sh(change + " 2>&1")
		require.Error(t, err, change)
		require.Contains(t, said, "Read-only file system", change)
	}
	require.Equal(t, "d\none\n", e.must("ls media"))
	lift()
	e.must("mkdir media/e; mv media/one media/two; rmdir media/d")
	require.Equal(t, "e\ntwo\n", e.must("ls media"))
}

// TestAServiceOnAFullDisk fills the disk of a service to its last byte. A secret that was printed before its change has failed
// is said to be of no use. A start says that the disk is full, in a new directory, too.
func TestAServiceOnAFullDisk(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	disk := e.smallDisk("8m")
	require.NoError(t, os.Mkdir(filepath.Join(disk, "data"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(disk, "data"), e.path("data")))
	p, _ := e.serving()
	e.admin("account", "add", "shop")
	fill := func() {
		require.Error(t, exec.Command("sh", "-c", "cat /dev/zero >> "+filepath.Join(disk, "filler")).Run())
	}
	fill()
	for _, args := range [][]string{{"account", "add", "more"}, {"account", "rotate", "shop"}, {"webhook", "add", "https://shop.example/hook", "--events", "ordered"}} {
		e.fail(cli.ExitFailure, "not enough free space on the disk", append([]string{"admin", "--data", e.path("data")}, args...)...)
	}
	e.fail(cli.ExitFailure, "", "admin", "--data", e.path("data"), "account", "rotate", "APIKey") // prints nothing
	p.signal(unix.SIGTERM)
	p.wait()
	fill()
	for _, data := range []string{"data", "new"} {
		e.fail(cli.ExitFailure, "not enough free space on the disk of "+filepath.Join(disk, data), "serve", "--data", filepath.Join(disk, data), "--listen", "127.0.0.1:0")
	}
}
