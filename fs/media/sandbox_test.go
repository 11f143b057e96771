package media_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
)

// TestInASandbox runs the tests of killed openers in a PID namespace whose
// processes belong to a session outside of it, as `unshare --pid` and some
// sandboxes have it: their session is 0.
func TestInASandbox(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can begin a PID namespace and mount as before in it")
	}
	cmd := programtest.Command(t, 5*time.Minute, "unshare", "--pid", "--fork", "--mount-proc", os.Args[0],
		"-test.run=^(TestTheSessionOfAKilledOpener|TestKilledWritersPublishNothing)$", "-test.v")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestTheSessionOfAKilledOpener/the_opener's")
}
