package datadir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestClientEnvIsReadAsItWasWritten checks that the file has its values, only its owner can read
// it, and nothing else is left.
func TestClientEnvIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for _, want := range []ClientEnv{{URL: "http://127.0.0.1:1/base", Username: "APIKey", Password: "a=b ", RPM: 45}, {Username: "other"}} {
		require.NoError(t, WriteClientEnv(data, want))
		require.Equal(t, want, testrun.Must(ReadClientEnv(data))(t))
		info := testrun.Must(os.Stat(filepath.Join(data, ClientEnvFile)))(t)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	require.Len(t, testrun.Must(os.ReadDir(data))(t), 1)
}

// TestAClientEnvThatCannotBeUsed checks that a lost file is told with the way to a new key, and that
// a line that is no number is named.
func TestAClientEnvThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	_, err := ReadClientEnv(data)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "account rotate")
	require.NoError(t, os.WriteFile(filepath.Join(data, ClientEnvFile), []byte("PAPERFS_URL=http://x\r\nOTHER=1\nPAPERFS_RPM=many\n"), 0o600))
	_, err = ReadClientEnv(data)
	require.ErrorContains(t, err, `PAPERFS_RPM is "many", not a number`)
}
