package media

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func ten(o *Options) { o.Quota = 10 }

// overfill opens a file, appends content and then more than there is room for, and closes it.
func (f *fixture) overfill(ino Ino, emptied bool, content string) {
	h, err := f.store.Open(ino, true)
	require.NoError(f.t, err)
	if emptied {
		require.NoError(f.t, h.Truncate(0))
	}
	if content != "" {
		f.appendAll(h, content)
	}
	_, err = h.Append(make([]byte, 11))
	require.True(f.t, Is(err, Full), "%v", err)
	require.True(f.t, Is(h.Flush(ctx), Full), "a handle on which a write failed publishes nothing")
	h.Release()
}

func TestWhatFindsNoRoomIsDropped(t *testing.T) {
	t.Parallel()
	f := newFixture(t, ten)
	a, h, err := f.store.Create(Root, "new", New{})
	require.NoError(t, err)
	f.overfill(a.Ino, false, "12345678")
	h.Release()
	f.absent(Root, "new")
	known, err := f.create(Root, "known", "old")
	require.NoError(t, err)
	f.overfill(known.Ino, true, "12345678")
	f.overfill(f.lookup(Root, "known").Ino, false, "12")
	content, err := f.read(f.lookup(Root, "known").Ino)
	require.NoError(t, err)
	require.Equal(t, "old", content)
	require.Equal(t, 1, f.service.count("UploadFile"))
	require.Empty(t, f.store.Failed())
	require.Zero(t, f.store.Status().SpoolBytes)
	_, err = f.create(Root, "new", "1234567890")
	require.NoError(t, err, "a failed write reserves no space")
}

// TestNoRoomBehindWhatIsQueued checks that queued content survives a write that finds no room.
func TestNoRoomBehindWhatIsQueued(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		emptied bool
		written string
	}{
		"at once":          {false, ""},
		"in the middle":    {false, "more"},
		"after truncation": {true, ""},
		"in new contents":  {true, "two"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, ten, writingBack)
			f.service.goAway(unreachable)
			a, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			f.overfill(a.Ino, c.emptied, c.written)
			f.service.goAway(nil)
			f.drain()
			f.published("a", "one")
			f.failedWith(false, "")
		})
	}
}

func TestNoRoomBesideWhatIsSent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, ten, writingBack)
	open := f.service.hold("UploadFile")
	a, err := f.create(Root, "a", "123456")
	require.NoError(t, err)
	<-f.service.entered
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	_, err = h.Append([]byte("7")) // needs a copy of the content being sent
	require.True(t, Is(err, Full), "%v", err)
	h.Release()
	open()
	f.drain()
	f.published("a", "123456")
	require.Empty(t, f.store.Failed())
}

func TestReserve(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.Reserve = 1 << 60 })
	_, h, err := f.store.Create(Root, "a", New{})
	require.NoError(t, err)
	_, err = h.WriteAt([]byte("x"), 0)
	require.True(t, Is(err, Full))
	h.Release()
	require.Zero(t, f.store.Space().Free)
}

// TestAFailedWriteToScratch checks that the close fails after a failed write, which a mapping cannot
// report otherwise.
func TestAFailedWriteToScratch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, h, err := f.store.Create(Root, ".a.tmp", New{})
	require.NoError(t, err)
	defer h.Release()
	f.writeAll(h, "some")
	require.NoError(t, h.Flush(ctx))
	h.Break(syscall.ENOSPC)
	require.ErrorIs(t, h.Flush(ctx), syscall.ENOSPC)
	require.ErrorIs(t, h.Broken(), syscall.ENOSPC)
}
