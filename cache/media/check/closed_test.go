package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
)

// TestAClosedState checks that the state of a new store is sound, and that content in failed/ without
// an entry is found.
func TestAClosedState(t *testing.T) {
	dirs := state.Dirs{State: t.TempDir(), Cache: t.TempDir()}
	statetest.Prepare(t, dirs)
	s, err := state.Open(dirs, "/mnt")
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.NoError(t, Closed(s.DB(), dirs.State))
	lost := filepath.Join(dirs.State, "failed")
	require.NoError(t, os.MkdirAll(lost, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(lost, "12"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(lost, "12x"), nil, 0o600)) // of nobody
	require.ErrorContains(t, Closed(s.DB(), dirs.State), filepath.Join(lost, "12")+" has no entry")
}
