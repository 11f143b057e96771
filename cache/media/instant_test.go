package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/inode"
)

func TestInstant(t *testing.T) {
	t.Parallel()
	first, last := time.Unix(inode.FirstSecond, 0), time.Unix(inode.LastSecond, 0)
	require.Equal(t, 1901, first.UTC().Year())
	require.Equal(t, 2486, last.UTC().Year())
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(2*inode.FirstSecond, 2*inode.LastSecond).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
		got := inode.InstantOf(at).Time()
		switch {
		case at.Before(first):
			require.True(t, got.Equal(first))
		case !at.Before(last):
			require.True(t, got.Equal(last) || at.Unix() == inode.LastSecond)
		default:
			require.True(t, got.Equal(at), "%v became %v", at, got)
		}
	})
}

func TestTimesOutlastTheMount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, err := f.create(Root, "a", "a")
	require.NoError(t, err)
	for _, at := range []time.Time{
		time.Unix(inode.FirstSecond, 0), time.Unix(-1, 1), time.Unix(0, 0), time.Date(2262, 5, 1, 0, 0, 0, 5, time.UTC), time.Date(2446, 5, 10, 22, 38, 55, 7, time.UTC),
	} {
		_, err := f.store.SetAttr(a.Ino, Change{Mtime: &at})
		require.NoError(t, err)
		f.reopen()
		a = f.lookup(Root, "a")
		require.True(t, a.Mtime.Equal(at), "%v became %v", at, a.Mtime)
	}
}
