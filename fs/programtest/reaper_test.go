package programtest

import (
	"bufio"
	"os"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// mountEnv makes the test binary a test process that mounts something, and is killed then.
const mountEnv = "PROGRAMTEST_MOUNT"

// TestMountingChild is the process that TestAKilledTestLeavesNoMount kills.
func TestMountingChild(t *testing.T) {
	dir := os.Getenv(mountEnv)
	if dir == "" {
		t.Skip("it is the child of TestAKilledTestLeavesNoMount")
	}
	long := time.Hour // the kernel answers stat for so long, also when nobody serves the mount
	server, err := gofs.Mount(dir, &gofs.Inode{}, &gofs.Options{AttrTimeout: &long, MountOptions: fuse.MountOptions{Name: "paperfs", DirectMountStrict: Mounting(t)}})
	require.NoError(t, err)
	testrun.Must(os.Stdout.WriteString("mounted\n"))(t)
	server.Wait()
}

// TestAKilledTestLeavesNoMount kills a test process that has a mount, and checks that the mount goes, too.
func TestAKilledTestLeavesNoMount(t *testing.T) {
	t.Parallel()
	Mounting(t)
	dir := t.TempDir() + "/a mount"
	require.NoError(t, os.Mkdir(dir, 0o700))
	child := Command(t, testrun.Patience(), os.Args[0], "-test.run", "^TestMountingChild$")
	child.Env = Bare(mountEnv + "=" + dir)
	out := testrun.Must(child.StdoutPipe())(t)
	require.NoError(t, child.Start())
	require.Equal(t, "mounted\n", testrun.Must(bufio.NewReader(out).ReadString('\n'))(t))
	mounted := func() bool {
		is, err := mountinfo.Mounted(dir)
		return is || err != nil
	}
	require.NoError(t, Command(t, testrun.Patience(), "stat", dir).Run()) // as programs do, which the kernel then answers
	require.True(t, mounted())
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	require.Eventually(t, func() bool { return !mounted() }, testrun.Patience(), 10*time.Millisecond)
}
