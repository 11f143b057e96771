package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/spool"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
)

// holding returns a directory with files of these names.
func holding(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	return dir
}

// TestSpoolsThatNobodyUsesAreFound checks which spools count as missing or unused: those of drafts
// and of removed files belong to no named node.
func TestSpoolsThatNobodyUsesAreFound(t *testing.T) {
	used, draft, unused := spool.Name(3, 1), spool.Name(9, 1), spool.Name(3, 2)
	named := func(n inode.Ino) bool { return n == 3 }
	require.NoError(t, Spools(holding(t, used, draft, "notes"), map[string]bool{used: true}, named))
	require.ErrorContains(t, Spools(holding(t, used, unused), map[string]bool{used: true}, named), unused+" is unused")
	require.ErrorContains(t, Spools(holding(t, draft), map[string]bool{used: true}, named), used+" is missing")
}

// TestFailedContentHasItsEntry checks both directions.
func TestFailedContentHasItsEntry(t *testing.T) {
	entries := []failed.Entry{{ID: 1, Path: "a"}, {ID: 2, Path: "b"}}
	require.NoError(t, Failed(holding(t, "1", "2"), entries))
	require.ErrorContains(t, Failed(holding(t, "1"), entries), `the content of "b" is missing`)
	require.ErrorContains(t, Failed(holding(t, "1", "2", "3"), entries), "3 in failed/ has no entry")
}

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
