package media_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// sandboxed is the variable that makes TestSandboxed the program of TestInASandbox.
const sandboxed = "MEDIA_TEST_SANDBOXED"

// TestInASandbox runs the tests of killed openers in a PID namespace whose processes belong to a
// session outside of it, as under `unshare --pid` and in some sandboxes. Inside, that session is 0.
// With PAPERFS_TEST=all it runs those of all killed writers, too.
func TestInASandbox(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can create a PID namespace and mount in it")
	}
	testrun.Program(t, "python3")
	cmd := programtest.Command(t, 2*testrun.Patience(), "unshare", "--pid", "--fork", "--mount-proc", os.Args[0], "-test.run=^TestSandboxed$", "-test.v")
	cmd.Env = append(os.Environ(), sandboxed+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestSandboxed/session/the_opener's")
}

func TestSandboxed(t *testing.T) {
	if os.Getenv(sandboxed) == "" {
		t.Skip("the program that TestInASandbox runs")
	}
	// The mount namespace has a copy of every mount. The copies would keep the mounts of other tests
	// alive.
	mounts, err := os.ReadFile("/proc/self/mounts")
	require.NoError(t, err)
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); strings.HasPrefix(f[2]+".", "fuse.") {
			_ = unix.Unmount(f[1], unix.MNT_DETACH)
		}
	}
	t.Run("session", TestTheSessionOfAKilledOpener)
	if testrun.All() {
		t.Run("writers", TestKilledWritersPublishNothing)
	}
}
