package journal

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
)

// opened returns the state of a new account.
func opened(t *testing.T) *state.State {
	dir := t.TempDir()
	d := state.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")}
	statetest.Prepare(t, d)
	st, err := state.Open(d, "/mnt")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	return st
}

// code is an error of SQLite.
type code int

func (c code) Error() string { return "SQLite says no" }
func (c code) Code() int     { return int(c) }

// TestAFullDatabaseIsENOSPC checks that a program is told of a full disk, whichever way SQLite says it.
func TestAFullDatabaseIsENOSPC(t *testing.T) {
	t.Parallel()
	full := &Unsaved{What: ofMedia, Err: code(sqliteFull | 1<<8)}
	require.ErrorIs(t, full, syscall.ENOSPC)
	require.Equal(t, "writing the state of media/: SQLite says no", full.Error())
	other := errors.New("the disk failed")
	require.ErrorIs(t, &Unsaved{What: ofMedia, Err: other}, other)
	require.NotErrorIs(t, &Unsaved{What: ofMedia, Err: code(10)}, syscall.ENOSPC)
}

// TestARunThatWasKilledIsToldToTheNext checks that only a run that did not end is told.
func TestARunThatWasKilledIsToldToTheNext(t *testing.T) {
	t.Parallel()
	st := opened(t)
	for _, killed := range []bool{false, true, true} {
		cut, err := Begin(st)
		require.NoError(t, err)
		require.Equal(t, killed, cut)
	}
	require.NoError(t, End(st))
	cut, err := Begin(st)
	require.NoError(t, err)
	require.False(t, cut)
}

// TestUnknownUploadsAreRemembered checks that the next run knows the names, in any case, until the
// outcome is known.
func TestUnknownUploadsAreRemembered(t *testing.T) {
	t.Parallel()
	st := opened(t)
	load := func() map[ServiceName]Sent {
		set, err := LoadUnknown(st.DB())
		require.NoError(t, err)
		return set
	}
	change := func(notes ...NoteChange) {
		require.NoError(t, st.Unsynced((&Changes{Notes: notes}).statements()...))
	}
	require.Empty(t, load())
	require.NoError(t, NoteUnknown(st.DB(), NameAt(3, "Photo.JPG"), ""))
	sent := Sent("").Or(inode.Digest{1}).Or(inode.Digest{2}).Or(inode.Digest{})
	change(NoteChange{At: NameAt(4, "b")}, NoteChange{At: NameAt(4, "B"), Sent: sent})
	require.Equal(t, map[ServiceName]Sent{NameAt(3, "photo.jpg"): "", NameAt(4, "b"): sent}, load())
	change(NoteChange{At: NameAt(3, "PHOTO.jpg"), Over: true})
	require.Equal(t, map[ServiceName]Sent{NameAt(4, "b"): sent}, load())
	change(NoteChange{At: NameAt(4, "b"), Over: true})
	require.Empty(t, load())
	many := Sent(inode.Digest{1}.String())
	for i := range byte(20) {
		many = many.Or(inode.Digest{i + 1})
	}
	require.True(t, many.Has(inode.Digest{20}) && many.Has(inode.Digest{5}), many)
	require.False(t, many.Has(inode.Digest{4}), many)
	require.True(t, many.Has(inode.Digest{}), "a service that tells no digests may have it from here")
}

// TestBlocksAreWrittenInPairs checks any number of blocks, some of them empty, whose numbers stay used.
func TestBlocksAreWrittenInPairs(t *testing.T) {
	t.Parallel()
	for count := range int64(5) {
		st := opened(t)
		blocks := map[int64][]byte{}
		for n := range count {
			blocks[n+1] = []byte("inodes")[:6*(n%2)]
		}
		require.NoError(t, st.Unsynced((&Changes{Blocks: blocks}).statements()...))
		var kept, last int64
		require.NoError(t, st.DB().QueryRow("SELECT count(*) FROM media_block WHERE inodes = CAST('inodes' AS BLOB)").Scan(&kept))
		require.Equal(t, count/2, kept)
		require.NoError(t, st.DB().QueryRow("SELECT count(*), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'media_block'), 0) FROM media_block").Scan(&kept, &last))
		require.Equal(t, []int64{count / 2, count}, []int64{kept, last})
	}
}
