package programtest

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"
)

// mountEnv makes the test binary a test process that mounts something, and is killed then. "alone" is without a reaper.
const mountEnv = "PROGRAMTEST_MOUNT"

// TestMountingChild is the process that tests kill.
func TestMountingChild(t *testing.T) {
	if os.Getenv(mountEnv) == "" {
		t.Skip("it is the child of other tests")
	}
	dir := t.TempDir() + "/a mount"
	require.NoError(t, os.Mkdir(dir, 0o700))
	direct := testrun.Must(mountpoint.CheckFUSE())(t)
	if os.Getenv(mountEnv) != "alone" {
		Mounting(t)
	}
	long := time.Hour // the kernel answers stat for so long, also when nobody serves the mount
	server, err := gofs.Mount(dir, &gofs.Inode{}, &gofs.Options{AttrTimeout: &long, MountOptions: fuse.MountOptions{Name: "paperfs", DirectMountStrict: direct}})
	require.NoError(t, err)
	testrun.Must(os.Stdout.WriteString(dir + "\n"))(t)
	server.Wait()
}

// killed kills a test process that has a mount below a directory, and returns where the mount is, and whether it is still there.
func killed(t *testing.T, below, how string) (dir string, mounted func() bool) {
	t.Helper()
	Mounting(t)
	child := Command(t, testrun.Patience(), os.Args[0], "-test.run", "^TestMountingChild$")
	child.Env = Bare(mountEnv+"="+how, "TMPDIR="+below)
	out := testrun.Must(child.StdoutPipe())(t)
	require.NoError(t, child.Start())
	dir = strings.TrimSpace(testrun.Must(bufio.NewReader(out).ReadString('\n'))(t))
	mounted = func() bool {
		is, err := mountinfo.Mounted(dir)
		return is || err != nil
	}
	require.NoError(t, Command(t, testrun.Patience(), "stat", dir).Run()) // as programs do, which the kernel then answers
	require.True(t, mounted())
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	return dir, mounted
}

// TestAKilledTestLeavesNoMount kills a test process that has a mount, and checks that the mount goes, too.
func TestAKilledTestLeavesNoMount(t *testing.T) {
	t.Parallel()
	_, mounted := killed(t, t.TempDir(), "with a reaper")
	require.Eventually(t, func() bool { return !mounted() }, testrun.Patience(), 10*time.Millisecond)
}

// TestAReaperLeavesTheMountsOfOthers checks that a reaper takes the mounts of its own tests alone.
func TestAReaperLeavesTheMountsOfOthers(t *testing.T) {
	t.Parallel()
	below := t.TempDir()
	dir, mounted := killed(t, below, "alone")
	own := strings.Split(strings.TrimPrefix(dir, below+"/"), "/")[0]
	for _, test := range []struct {
		tests string
		stays bool
	}{{"", true}, {"TestOther1\nTest\n" + own + "0\n", true}, {"TestOther1\n" + own + "\n", false}} {
		shell := Command(t, testrun.Patience(), "sh", "-c", reaper, "sh", below)
		shell.Stdin = strings.NewReader(test.tests)
		require.NoError(t, shell.Run())
		require.Equal(t, test.stays, mounted(), test.tests)
	}
}
