package media

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/state"
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

// TestAKillBeforeTheFirstRow checks that content whose row no transaction has written yet is in failed/ without a name,
// whether the file is new or not, and that the published content stays.
func TestAKillBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	f, slow := slowly(t)
	f.absent(Root, "a")
	_, err := f.create(Root, "old", "published")
	require.NoError(t, err)
	require.NoError(t, f.store.Sync())
	slow.rows.Lock()
	old, err := f.store.Open(f.lookup(Root, "old").Ino, true)
	require.NoError(t, err)
	f.appendAll(old, " half")
	_, h, err := f.store.Create(Root, "new", New{Mode: 0o644})
	require.NoError(t, err)
	f.writeAll(h, "half")
	g := f.killed(t, false)
	slow.rows.Unlock()
	left := g.inFailed()
	require.ElementsMatch(t, []string{"published half", "half"}, slices.Collect(maps.Values(left)))
	for name := range left {
		require.Regexp(t, `^unnamed-\d+$`, name)
	}
	content, err := g.read(g.lookup(Root, "old").Ino)
	require.NoError(t, err)
	require.Equal(t, "published", content)
	_, err = g.create(Root, "new", "whole")
	require.NoError(t, err)
	for _, h := range []*Handle{old, h} {
		h.Release()
	}
}

// TestAKillDuringAnUploadLeavesTheNewestContentAlone writes to a file while its content is being sent, as a child does
// after its killed parent. The next run keeps what was written last, by its path, and nothing without a name.
func TestAKillDuringAnUploadLeavesTheNewestContentAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "a")
	_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
	require.NoError(t, err)
	f.writeAll(h, "sent")
	open := f.service.hold("UploadFile")
	closed := make(chan error)
	go func() { closed <- h.Flush(ctx) }()
	<-f.service.entered
	f.appendAll(h, " and more")
	g := f.left(t)
	open()
	require.NoError(t, <-closed)
	h.Release()
	g.open()
	t.Cleanup(g.close)
	require.Equal(t, map[string]string{"a": "sent and more"}, g.inFailed())
}

// countingState counts transactions.
type countingState struct {
	journal.State
	count atomic.Int32
}

func (s *countingState) Unsynced(changes ...state.Statement) error {
	s.count.Add(1)
	return s.State.Unsynced(changes...)
}

// TestAnOverwriteTakesTwoTransactions checks that a close that follows the open at once writes its rows together: before the
// upload, because this service compares no versions, and with the answer.
func TestAnOverwriteTakesTwoTransactions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	counting := new(countingState)
	f.around = func(st journal.State) journal.State {
		counting.State = st
		return counting
	}
	f.reopen()
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	least := int32(math.MaxInt32)
	for range 20 { // a slow machine may take longer than a change waits
		f.drain()
		require.NoError(t, f.store.Sync())
		before := counting.count.Load()
		require.NoError(t, f.overwrite(a.Ino, "two"))
		least = min(least, counting.count.Load()-before)
	}
	require.EqualValues(t, 2, least)
}

// TestAnEmptySpoolThatNoRowNames checks that a spool that was still empty at a kill, before a row or the log named it, goes.
func TestAnEmptySpoolThatNoRowNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, ".a", "")
	require.NoError(t, err)
	f.close()
	left := filepath.Join(f.dirs.State, "spool", spool.Name(99))
	require.NoError(t, os.WriteFile(left, nil, 0o600))
	f.open()
	require.NoFileExists(t, left)
	f.reopen() // compares its rows with memory
	require.Empty(t, f.store.Failed())
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
