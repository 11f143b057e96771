package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/remote"
)

// TestADraftThatIsQueuedOnceMore checks that a sent PDF, which a program keeps open on a full
// disk and queues again, is queued after a kill, although the row could not record that it was
// sent.
func TestADraftThatIsQueuedOnceMore(t *testing.T) {
	t.Parallel()
	f, disk := onFullDisk(t, writingBack)
	any := Queuing{Check: func(remote.Content) error { return nil }}
	d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
	_, err := d.WriteAt([]byte("%PDF of one"), 0)
	require.NoError(t, err)
	require.NoError(t, d.Queue(any))
	disk.full.Store(true)
	require.NoError(t, d.SendQueued(func(remote.Content) (string, error) { return sum([]byte("%PDF of one")), nil }))
	require.False(t, d.Queued())
	disk.full.Store(false)
	_, err = d.WriteAt([]byte("%PDF of two"), 0)
	require.NoError(t, err)
	require.NoError(t, d.Queue(any))
	g := f.killed(t, false)
	require.Len(t, g.store.QueuedPDFs(), 1)
	require.Empty(t, g.store.Failed())
	require.NoError(t, g.store.QueuedPDFs()[0].SendQueued(func(c remote.Content) (string, error) {
		require.Equal(t, "%PDF of two", read(t, c))
		return sum([]byte("%PDF of two")), nil
	}))
}

// TestARemovedDraftStaysRemoved checks that a removed draft does not come back, although the
// row could not be written, and although the next start ends before it handles that, because
// the disk may still be full.
func TestARemovedDraftStaysRemoved(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string]bool{"taken out": false, "forsaken": true} {
		t.Run(name, func(t *testing.T) {
			f, disk := onFullDisk(t, writingBack)
			d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
			_, err := d.WriteAt([]byte("%PDF of one"), 0)
			require.NoError(t, err)
			require.NoError(t, d.Queue(Queuing{Check: func(remote.Content) error { return nil }}))
			disk.full.Store(true)
			d.Unqueue(drop)
			disk.full.Store(false)
			f.eventually(func() bool { return f.store.Sync() == nil }) // one that meets a write of before hears of the full disk
			g := f.left(t)
			g.inState(t, "ALTER TABLE media_draft RENAME TO away")
			var errOpen error
			g.state, errOpen = state.Open(g.dirs, "/mnt")
			require.NoError(t, errOpen)
			options := g.options
			options.State = g.state
			_, errOpen = Open(options)
			require.ErrorContains(t, errOpen, "media_draft")
			require.NoError(t, g.state.Close())
			g.inState(t, "ALTER TABLE away RENAME TO media_draft")
			g.open()
			t.Cleanup(g.close)
			require.Empty(t, g.store.QueuedPDFs())
			for _, e := range g.store.Failed() {
				require.NotContains(t, e.Reason, "bytes were found")
			}
			d.Close()
		})
	}
}
