package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestNothingStaysOfAServerThatDoesNotStart runs an empty program in place of the server.
func TestNothingStaysOfAServerThatDoesNotStart(t *testing.T) {
	programs, temporary := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(programs, "versitygw"), nil, 0o700))
	t.Setenv("PATH", programs)
	t.Setenv("TMPDIR", temporary)
	_, err := startObjectStore()
	require.Error(t, err)
	require.Empty(t, testrun.Must(os.ReadDir(temporary))(t))
}
