package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachLossOfDataIsSalvaged has other content at the same path at each loss. A repeated attempt
// copies nothing twice.
func TestEachLossOfDataIsSalvaged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	keep := func(reason string, want map[string]string) {
		t.Helper()
		for range 2 {
			kept, missed, err := f.store.CopyCacheToFailed(reason, nil)
			require.NoError(t, err)
			require.Equal(t, []int{1, 0}, []int{kept, missed})
		}
		entries := map[string]string{}
		for _, e := range f.store.Failed() {
			content, err := os.ReadFile(f.store.failures.File(e.ID))
			require.NoError(t, err)
			entries[e.Path+e.Suffix] = string(content)
		}
		require.Equal(t, want, entries)
	}
	keep("lost", map[string]string{"a": "one"})
	require.NoError(t, f.overwrite(a.Ino, "two"))
	keep("lost again", map[string]string{"a": "one", "a (older)": "two"})
}

// TestAFailedCopyLeavesNothingInFailed checks that neither a failed copy nor an interrupted
// attempt leaves files in failed/.
func TestAFailedCopyLeavesNothingInFailed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	drafts := func() []string {
		found, err := filepath.Glob(filepath.Join(f.store.failures.Dir, "*"))
		require.NoError(t, err)
		return found
	}
	_, err = f.state.DB().Exec("ALTER TABLE media_failed RENAME TO away")
	require.NoError(t, err)
	_, _, err = f.store.CopyCacheToFailed("lost", nil)
	require.ErrorContains(t, err, "media/a cannot be copied to failed/")
	require.Empty(t, drafts())
	require.Zero(t, f.store.Status().SpoolBytes)
	_, err = f.state.DB().Exec("ALTER TABLE away RENAME TO media_failed")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(f.store.failures.Dir, "held"), nil, 0o600))
	_, _, err = f.store.CopyCacheToFailed("lost", nil)
	require.NoError(t, err)
	require.Len(t, drafts(), 1)
}
