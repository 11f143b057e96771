package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestWhatIsQueuedTakesOfTheQuota checks that a write is refused for what is queued for other names, and not for what it replaces.
func TestWhatIsQueuedTakesOfTheQuota(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Paused = true })
	f.service.put(0, "known", []byte("123456"))
	f.service.room = &remote.Room{Left: 10, Asked: f.store.o.Now()}
	a, err := f.create(Root, "a", "12345678")
	require.NoError(t, err)
	require.NoError(t, f.overwrite(f.lookup(Root, "known").Ino, "12345678"))
	require.Zero(t, f.store.Left())
	_, h, err := f.store.Create(Root, "b", New{})
	require.NoError(t, err)
	_, err = h.Append([]byte("1"))
	require.True(t, Is(err, OverQuota), "%v", err)
	require.True(t, Is(h.Flush(ctx), OverQuota))
	h.Release()
	_, err = f.create(Root, ".scratch", "1")
	require.NoError(t, err)
	require.NoError(t, f.overwrite(a.Ino, "12"), "it replaces what is queued")
	_, err = f.create(Root, "b", "123456")
	require.NoError(t, err)
	require.Empty(t, f.store.Failed())
}
