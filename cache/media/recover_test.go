package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAnUploadThatAKillCutMayHaveTakenEffect: the next run shows what the
// service holds, though the tree that it knows is young.
func TestAnUploadThatAKillCutMayHaveTakenEffect(t *testing.T) {
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

// TestWhatIsNotBeingSentAnyMore: the next run takes over once that an upload of a
// queued file was cut; its row says so no longer, though nothing is sent yet.
func TestWhatIsNotBeingSentAnyMore(t *testing.T) {
	f := newFixture(t, writingBack)
	open := f.service.hold("UploadFile")
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	<-f.service.entered
	f.options.Debounce = time.Hour
	f.reopen()
	require.Len(t, f.store.unknown.set, 1)
	require.NoError(t, f.store.Sync())
	_, _, err = f.store.table.load(func(n *node, _ uint64) {
		if n.ino == a.Ino {
			require.True(t, n.queued())
			require.False(t, n.sending)
		}
	})
	require.NoError(t, err)
	open()
	f.options.Debounce = -1
	f.reopen()
	f.drain()
	f.published("a", "one")
}

// TestScratchOfAnEarlierRunIsQueuedAsItIs: what is written to it afterwards, and
// not closed when the mount ends, is not sent in its place.
func TestScratchOfAnEarlierRunIsQueuedAsItIs(t *testing.T) {
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
