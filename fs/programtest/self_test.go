package programtest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

const selfName = "programtest-self"

// TestTheTestBinaryIsAProgram runs the test binary under another name, linked and copied.
func TestTheTestBinaryIsAProgram(t *testing.T) {
	if IsSelf(selfName) {
		testrun.Must(os.Stdout.WriteString("self"))(t)
		os.Exit(0)
	}
	self := testrun.Must(os.Executable())(t)
	linked := testrun.Must(PutSelf(t.TempDir(), selfName))(t)
	copied := filepath.Join(t.TempDir(), selfName)
	require.NoError(t, copyProgram(self, copied))
	for _, path := range []string{linked, copied} {
		out, err := Command(t, testrun.Patience(), path, "-test.run", "^"+t.Name()+"$").Output()
		require.NoError(t, err, "%s: %s", path, out)
		require.True(t, bytes.HasSuffix(out, []byte("self")), "%s prints %q", path, out)
	}
	require.Error(t, copyProgram(self, copied), "a file in its place is kept")
}
