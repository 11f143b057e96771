package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
)

// TestTimesOutlastTheMount checks that mode and owner do, too.
func TestTimesOutlastTheMount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, err := f.create(Root, "a", "a")
	require.NoError(t, err)
	for _, at := range []time.Time{
		time.Unix(inode.FirstSecond, 0), time.Unix(-1, 1), time.Unix(0, 0), time.Date(2262, 5, 1, 0, 0, 0, 5, time.UTC), time.Date(2446, 5, 10, 22, 38, 55, 7, time.UTC),
	} {
		mode, uid := uint32(0o600), int64(12)
		_, err := f.store.SetAttr(a.Ino, Change{Mode: &mode, UID: &uid, Mtime: &at})
		require.NoError(t, err)
		f.reopen()
		a = f.lookup(Root, "a")
		require.Equal(t, []any{mode, uid, int64(8)}, []any{a.Mode, a.UID, a.GID})
		require.True(t, a.Mtime.Equal(at), "%v became %v", at, a.Mtime)
	}
}
