package temporary

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTMPDIRSaysWhereTemporaryFilesAre checks that nothing replaces it, and that files can be made in what takes its place.
func TestTMPDIRSaysWhereTemporaryFilesAre(t *testing.T) {
	given := t.TempDir()
	t.Setenv("TMPDIR", given)
	InMemory()
	require.Equal(t, given, os.Getenv("TMPDIR"))
	t.Setenv("TMPDIR", "")
	InMemory()
	f := testrun.Must(os.CreateTemp("", "paperfs-test-"))(t)
	require.NoError(t, f.Close())
	require.NoError(t, os.Remove(f.Name()))
}
