package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachLossOfDataIsSalvaged has a second loss with the same reason, and other content at
// the same paths. A repeated attempt copies nothing twice.
func TestEachLossOfDataIsSalvaged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	keep := func(want ...string) {
		t.Helper()
		for range 2 {
			kept, missed, err := f.store.CopyCacheToFailed("lost", nil)
			require.NoError(t, err)
			require.Equal(t, []int{2, 0}, []int{kept, missed})
		}
		entries := map[string]string{}
		for _, e := range f.store.Failed() {
			content, err := os.ReadFile(f.store.failures.File(e.ID))
			require.NoError(t, err)
			entries[e.Path+e.Suffix] = string(content)
		}
		expected := map[string]string{}
		for i := 0; i < len(want); i += 2 {
			expected[want[i]] = want[i+1]
		}
		require.Equal(t, expected, entries)
	}
	publish := func(a, other string) {
		for name, content := range map[string]string{"a": a, "a (published)": other} {
			if at, err := f.store.Lookup(ctx, Root, name); err == nil {
				require.NoError(t, f.overwrite(at.Ino, content))
				continue
			}
			_, err := f.create(Root, name, content)
			require.NoError(t, err)
		}
	}
	publish("one", "other")
	keep("a", "one", "a (published)", "other")
	publish("two", "other")
	keep("a", "one", "a (published)", "other", "a (published 2)", "two")
	publish("three", "three")
	keep("a", "one", "a (published)", "other", "a (published 2)", "two", "a (published 3)", "three", "a (published) (published)", "three")
}

// TestWhatCannotBeKeptLeavesNothingBehind checks that neither a failed copy nor an interrupted
// attempt leaves files in failed/.
func TestWhatCannotBeKeptLeavesNothingBehind(t *testing.T) {
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
	require.NoError(t, os.WriteFile(filepath.Join(f.store.failures.Dir, "held-of-another"), nil, 0o600))
	_, _, err = f.store.CopyCacheToFailed("lost", nil)
	require.NoError(t, err)
	require.Len(t, drafts(), 1)
}
