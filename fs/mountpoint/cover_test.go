package mountpoint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func TestMustNotCover(t *testing.T) {
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mount"), 0o755))
	require.NoError(t, os.Symlink("mount", filepath.Join(dir, "link")))
	place := testrun.Must(Prepare(filepath.Join(dir, "link"), nil))(t)
	for _, path := range []string{"mount", "mount/data", "mount/a/b/data", "link/data", "mount/../link/a/../b"} {
		err := place.MustNotCover(filepath.Join(dir, path))
		require.ErrorIs(t, err, ErrUnusable, path)
		require.ErrorContains(t, err, place.Dir+" would hide")
	}
	for _, path := range []string{"", "mounted", "mount-data/a", "data", "link/../data"} {
		require.NoError(t, place.MustNotCover(filepath.Join(dir, path)), path)
	}
}
