package media

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallDisk is a disk of the given size in bytes that holds the spool, failed/ and the content
// cache, with a reserve of 10.
func smallDisk(t *testing.T, size int64) *fixture {
	free := func(dir string) (int64, error) {
		left := size
		home := filepath.Dir(filepath.Dir(dir))
		for _, part := range []string{"state/spool", "state/failed", "cache/media"} {
			err := filepath.WalkDir(filepath.Join(home, part), func(_ string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				info, err := e.Info()
				left -= info.Size()
				return err
			})
			if err != nil {
				return 0, err
			}
		}
		return left, nil
	}
	return newFixture(t, func(o *Options) { o.Reserve, o.Free = 10, free })
}

func TestTheContentCacheGivesWayToWhatIsWritten(t *testing.T) {
	t.Parallel()
	f := smallDisk(t, 60)
	f.tens("abcde")
	require.Equal(t, "abcde", f.held("abcde"))
	_, err := f.create(Root, "f", strings.Repeat("f", 25))
	require.NoError(t, err)
	require.Equal(t, "de", f.held("abcde"))
	_, h, err := f.store.Create(Root, "g", New{})
	require.NoError(t, err)
	_, err = h.WriteAt(make([]byte, 51), 0)
	require.True(t, Is(err, Full), "%v", err)
	h.Release()
}

func TestTheContentCacheLeavesTheReserve(t *testing.T) {
	t.Parallel()
	f := smallDisk(t, 60)
	for _, name := range "abc" {
		f.service.set(0, string(name), strings.Repeat(string(name), 10))
	}
	f.service.set(0, "large", strings.Repeat("l", 45))
	f.service.set(0, "larger", strings.Repeat("L", 55))
	for _, name := range []string{"a", "b", "c", "large"} {
		_, err := f.read(f.lookup(Root, name).Ino)
		require.NoError(t, err)
	}
	require.Empty(t, f.held("abc"), "recently read content stays")
	require.EqualValues(t, 45, f.store.Contents.Size())
	_, err := f.read(f.lookup(Root, "larger").Ino)
	require.True(t, Is(err, Full), "%v", err)
	require.Zero(t, f.store.Contents.Size())
	kept, err := filepath.Glob(filepath.Join(f.dirs.Cache, "media", "*", "*"))
	require.NoError(t, err)
	require.Empty(t, kept)
}
