package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueuedContentStaysUntilNewerContentIsQueued checks that a sender of queued content, which ends before newer
// content is queued durably, leaves it to the next mount.
func TestQueuedContentStaysUntilNewerContentIsQueued(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Paused = true })
	a, err := f.create(Root, "a", large("1"))
	require.NoError(t, err)
	n := f.store.Nodes[a.Ino]
	sending, err := f.store.FreezePending(n)
	require.NoError(t, err)
	path := sending.Spool.Path
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	defer h.Release()
	f.writeAll(h, large("2"))
	n.Body().Mu.Lock()
	upto, release, err := f.store.QueueBodyLocked(n)
	n.Body().Mu.Unlock()
	require.NoError(t, err)
	sending.Thaw()
	require.FileExists(t, path)
	require.NoError(t, f.store.Journal.WaitSynced(upto))
	release()
	require.NoFileExists(t, path)
}
