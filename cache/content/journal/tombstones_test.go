package journal

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
)

func removed(ino uint64) []byte { return binary.LittleEndian.AppendUint64(nil, ino) }

// TestRemovalsOutlastAKill checks that the next run finds what was removed and not yet written, also
// if the last entry was cut.
func TestRemovalsOutlastAKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	r := &tombstones{path: path}
	found, begun, err := r.replay()
	require.NoError(t, err)
	require.Empty(t, found, "there is no log before the first removal")
	require.Empty(t, begun)
	require.NoError(t, r.add(Begun{5, 8, "dir/name"}.entry(), 1))
	require.NoError(t, r.add(removed(7), 1))
	require.NoError(t, r.add(removed(9), 2))
	r.close()
	cut, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = cut.Write([]byte{200, 0, 0, 0, 0, 0, 0, 128, 5, 0, 0, 0, 0, 0, 0, 0, 3})
	require.NoError(t, err)
	require.NoError(t, cut.Close())

	next := &tombstones{path: path}
	found, begun, err = next.replay()
	require.NoError(t, err)
	require.Equal(t, []inode.Ino{7, 9}, found)
	require.Equal(t, []Begun{{5, 8, "dir/name"}}, begun)
	require.NoError(t, next.add(removed(11), 3), "takes the place of the cut entry")
	next.close()
	found, begun, err = (&tombstones{path: path}).replay()
	require.NoError(t, err)
	require.Equal(t, []inode.Ino{7, 9, 11}, found)
	require.Len(t, begun, 1)
}

// TestRemovalsAreForgottenOnceAllAreWritten checks that the log keeps all entries until the newest is
// written.
func TestRemovalsAreForgottenOnceAllAreWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	size := func() int64 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	r := &tombstones{path: path}
	defer r.close()
	require.NoError(t, r.add(removed(7), 1))
	require.NoError(t, r.add(removed(9), 2))
	r.written(1)
	require.EqualValues(t, 2*lineSize, size())
	r.written(2)
	require.Zero(t, size())
	require.NoError(t, r.add(removed(11), 3))
	require.EqualValues(t, lineSize, size())
}
