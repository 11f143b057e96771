package mountpoint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMustNotCover(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mount"), 0o755))
	require.NoError(t, os.Symlink("mount", filepath.Join(dir, "link")))
	place, err := Prepare(filepath.Join(dir, "link"), nil)
	require.NoError(t, err)
	for _, path := range []string{"mount", "mount/data", "mount/a/b/data", "link/data", "mount/../link/a/../b"} {
		err := place.MustNotCover(filepath.Join(dir, path))
		require.ErrorIs(t, err, ErrUnusable, path)
		require.ErrorContains(t, err, place.Dir+" would hide")
	}
	for _, path := range []string{"", "mounted", "mount-data/a", "data", "link/../data"} {
		require.NoError(t, place.MustNotCover(filepath.Join(dir, path)), path)
	}
}
