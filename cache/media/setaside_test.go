package media

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/refusal"
)

// torsoOf leaves a handle of a file that a killed writer had emptied and half written.
func (f *fixture) torsoOf(ino Ino) *Handle {
	h, err := f.store.Open(ino, true)
	require.NoError(f.t, err)
	require.NoError(f.t, h.Truncate(0))
	f.writeAll(h, "half")
	h.Abandon(errors.New("killed"))
	require.True(f.t, f.store.HasTorso(ino))
	return h
}

// TestWhoHasATorsoOpenWritesInVain checks that a handle that outlives a killed writer neither
// changes nor publishes what the file holds again once another program opens it.
func TestWhoHasATorsoOpenWritesInVain(t *testing.T) {
	for mode, option := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		t.Run(mode, func(t *testing.T) {
			f := newFixture(t, option)
			f.absent(Root, "a")
			a, err := f.create(Root, "a", "whole")
			require.NoError(t, err)
			f.drain()
			old := f.torsoOf(a.Ino)
			require.NoError(t, f.store.SetAside(ctx, a.Ino))
			require.False(t, f.store.HasTorso(a.Ino))
			require.Equal(t, map[string]string{"a": "half"}, f.inFailed())

			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			_, err = old.WriteAt([]byte("X"), 0)
			require.True(t, Is(err, refusal.Damaged), "%v", err)
			require.Error(t, old.Truncate(0))
			require.Error(t, old.Truncate(5), "the length that the file has")
			require.Error(t, old.Broken())
			require.Error(t, old.Torn())
			require.False(t, old.Clean())
			require.Error(t, old.Flush(ctx))
			f.appendAll(h, " more")
			old.Break(errors.New("no room"))
			old.Abandon(errors.New("killed, too"))
			require.NoError(t, h.Flush(ctx))
			h.Release()
			old.Release()
			f.drain()
			f.published("a", "whole more")
			require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
		})
	}
}

// TestATorsoOverQueuedContentIsSetAsideAtOnce checks that an open does not wait for the upload of
// what is queued.
func TestATorsoOverQueuedContentIsSetAsideAtOnce(t *testing.T) {
	f, open := midway(t)
	ino := f.lookup(Root, "a").Ino
	old := f.torsoOf(ino)
	require.NoError(t, f.store.SetAside(ctx, ino), "while the upload hangs")
	content, err := f.read(ino)
	require.NoError(t, err)
	require.Equal(t, "one", content)
	h, err := f.store.Open(ino, true)
	require.NoError(t, err)
	f.appendAll(h, " more")
	require.NoError(t, h.Flush(ctx))
	h.Release()
	open()
	old.Release()
	f.drain()
	f.published("a", "one more")
	require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
}

// TestAnOpenThatWaitsForAnUploadCanEnd checks that a signal ends the wait for the upload of another
// program's close, and that nothing but that wait is needed.
func TestAnOpenThatWaitsForAnUploadCanEnd(t *testing.T) {
	f := newFixture(t)
	a, err := f.create(Root, "a", "whole")
	require.NoError(t, err)
	whole, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.appendAll(whole, "r")
	goOn := f.service.hold("UploadFile")
	closed := make(chan error, 1)
	go func() { closed <- whole.Flush(ctx) }()
	<-f.service.entered
	old := f.torsoOf(a.Ino)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, f.store.SetAside(gone, a.Ino), context.Canceled)
	goOn()
	require.NoError(t, <-closed)
	require.NoError(t, f.store.SetAside(ctx, a.Ino))
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "wholer", content)
	whole.Release()
	old.Release()
	f.published("a", "wholer")
}

// TestATorsoThatCannotBeSetAsideIsNotContinued checks that its content is published only after a
// program has emptied it.
func TestATorsoThatCannotBeSetAsideIsNotContinued(t *testing.T) {
	f := newFixture(t)
	a, err := f.create(Root, "a", "whole")
	require.NoError(t, err)
	back := f.withoutFailed()
	old := f.torsoOf(a.Ino)
	require.NoError(t, f.store.SetAside(ctx, a.Ino))
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.appendAll(h, " more")
	require.Error(t, h.Flush(ctx))
	back()
	h.Release()
	old.Release()
	f.drain()
	f.published("a", "whole")
	require.Equal(t, map[string]string{"a": "half more"}, f.inFailed())
}

// TestAFailedUploadDoesNotHealATorso checks that a close whose upload fails does not make newer
// content of a killed writer pass for whole.
func TestAFailedUploadDoesNotHealATorso(t *testing.T) {
	f := newFixture(t)
	a, err := f.create(Root, "a", "whole")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.appendAll(h, "r")
	f.service.fail("UploadFile", errNo)
	goOn := f.service.hold("UploadFile")
	closed := make(chan error, 1)
	go func() { closed <- h.Flush(ctx) }()
	<-f.service.entered
	old := f.torsoOf(a.Ino)
	goOn()
	require.Error(t, <-closed)
	h.Release()
	old.Release()
	f.drain()
	f.published("a", "whole")
	require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
}

// TestATorsoIsNotRenamed checks that a rename right after a writer was killed moves what the file
// held before.
func TestATorsoIsNotRenamed(t *testing.T) {
	for _, to := range []string{".a", "b"} {
		t.Run(to, func(t *testing.T) {
			f := newFixture(t, deleting)
			f.absent(Root, to)
			a, err := f.create(Root, "a", "whole")
			require.NoError(t, err)
			require.NoError(t, f.store.Refresh(ctx))
			old := f.torsoOf(a.Ino)
			require.NoError(t, f.rename(Root, "a", Root, to))
			content, err := f.read(f.lookup(Root, to).Ino)
			require.NoError(t, err)
			require.Equal(t, "whole", content)
			old.Release()
			f.drain()
			require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
		})
	}
}
