package media

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/journal"
)

// TestAnUploadThatAKillCutMayHaveTakenEffect checks that the next run shows what the service
// has, although the tree it knows is recent.
func TestAnUploadThatAKillCutMayHaveTakenEffect(t *testing.T) {
	t.Parallel()
	for _, there := range []bool{false, true} {
		f := newFixture(t)
		f.absent(Root, "a")
		if there {
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			a := f.lookup(Root, "a")
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			f.writeAll(h, "longer")
		} else {
			_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
			require.NoError(t, err)
			f.writeAll(h, "longer")
		}
		f.service.mu.Lock()
		f.service.put(0, "a", []byte("longer"))
		f.service.mu.Unlock()
		f.reopen()
		f.eventually(func() bool {
			a, err := f.store.Lookup(ctx, Root, "a")
			return err == nil && a.Size == int64(len("longer"))
		})
		f.failedWith(true, "longer")
	}
}

// TestWhatAnEarlierVersionWasSending checks that the next run converts the row of an earlier
// version, once, to the note of an upload that may take effect late.
func TestWhatAnEarlierVersionWasSending(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.absent(Root, "a")
	f.service.goAway(unreachable)
	f.options.Debounce = time.Hour // so that nothing is sent
	f.reopen()
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.close()
	db, err := sql.Open("sqlite", filepath.Join(f.dirs.State, "state.db"))
	require.NoError(t, err)
	var block []byte
	require.NoError(t, db.QueryRow("SELECT inodes FROM media_block WHERE number = ?", journal.BlockOf(a.Ino)).Scan(&block))
	queued := []byte("\x002\x000\x001\x00") // a file, not local, queued
	require.Equal(t, 1, bytes.Count(block, queued))
	block = bytes.Replace(block, queued, []byte("\x002\x000\x002\x00"), 1)
	_, err = db.Exec("UPDATE media_block SET inodes = ? WHERE number = ?", block, journal.BlockOf(a.Ino))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	f.open()
	require.True(t, f.store.unsure(journal.NameAt(0, "a")))
	require.Equal(t, Pending, f.lookup(Root, "a").Where)
	f.reopen() // compares its rows with memory
	f.service.goAway(nil)
	f.options.Debounce = -1
	f.reopen()
	f.drain()
	f.published("a", "one")
	require.False(t, f.store.unsure(journal.NameAt(0, "a")))
}

// TestScratchOfAnEarlierRunIsQueuedAsItIs checks that content that is written afterwards, and
// not closed when the mount ends, is not sent instead.
func TestScratchOfAnEarlierRunIsQueuedAsItIs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	a, err := f.create(Root, ".a", "one")
	require.NoError(t, err)
	f.reopen()
	f.service.goAway(unreachable)
	require.NoError(t, f.rename(Root, ".a", Root, "a"))
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.appendAll(h, "half")
	f.reopen()
	f.service.goAway(nil)
	f.store.RetryNow()
	f.drain()
	f.published("a", "one")
	require.Len(t, f.store.Failed(), 1)
}
