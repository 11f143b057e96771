package media

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/recovery"
)

// torsoOf leaves a handle of a that a killed writer had emptied and half written.
func (f *fixture) torsoOf(ino Ino) *Handle {
	h, err := f.store.Open(ino, true)
	require.NoError(f.t, err)
	require.NoError(f.t, h.Truncate(0))
	f.writeAll(h, "half")
	h.Abandon(errors.New("killed"))
	require.NotEqual(f.t, ino, f.lookup(Root, "a").Ino, "the name no longer refers to it")
	_, err = f.store.Open(ino, false)
	require.True(f.t, Is(err, Stale), "%v", err)
	return h
}

// TestNobodyJoinsATorso checks that a program that opens the file of a killed writer finds what it
// held before, and that who has the torso open writes it in vain.
func TestNobodyJoinsATorso(t *testing.T) {
	t.Parallel()
	for mode, option := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		t.Run(mode, func(t *testing.T) {
			f := newFixture(t, option)
			f.absent(Root, "a")
			a, err := f.create(Root, "a", "whole")
			require.NoError(t, err)
			f.drain()
			before := f.lookup(Root, "a")
			old := f.torsoOf(a.Ino)
			now := f.lookup(Root, "a")
			require.Equal(t, []any{before.Mode, before.UID, before.GID, before.Mtime, before.Size, before.ID},
				[]any{now.Mode, now.UID, now.GID, now.Mtime, now.Size, now.ID})
			kept, err := f.store.Stat(a.Ino)
			require.NoError(t, err)
			require.Equal(t, []any{0, int64(4)}, []any{kept.Links, kept.Size})

			h, err := f.store.Open(now.Ino, true)
			require.NoError(t, err)
			_, err = old.WriteAt([]byte("X"), 0)
			require.NoError(t, err)
			require.False(t, old.Clean())
			require.Error(t, old.Flush(ctx))
			f.appendAll(h, " more")
			old.Abandon(errors.New("killed, too"))
			require.NoError(t, h.Flush(ctx))
			h.Release()
			f.drain()
			require.Empty(t, f.store.Failed(), "it is still open")
			old.Release()
			f.published("a", "whole more")
			require.Equal(t, map[string]string{"a": "Xalf"}, f.inFailed())
			require.True(t, f.store.Failed()[0].Unfinished)
			f.reopen()
			require.Equal(t, map[string]string{"a": "Xalf"}, f.inFailed())
		})
	}
}

// TestATorsoOverQueuedContent checks that the name shows what is queued, which an upload under way
// goes on to send.
func TestATorsoOverQueuedContent(t *testing.T) {
	t.Parallel()
	f, open := midway(t)
	old := f.torsoOf(f.lookup(Root, "a").Ino)
	a := f.lookup(Root, "a")
	require.Equal(t, Pending, a.Where)
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "one", content)
	h, err := f.store.Open(a.Ino, true)
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

// TestATorsoThatIsOpenIsNotMended checks that content which was queued before a torso is not called its mend once it is
// sent, though the torso is still open and not yet in failed/, and that what is written next is.
func TestATorsoThatIsOpenIsNotMended(t *testing.T) {
	t.Parallel()
	var mended atomic.Int32
	f := newFixture(t, writingBack, func(o *Options) { o.Mended = func(string, string) { mended.Add(1) } })
	f.options.Paused = true
	f.reopen()
	a, err := f.create(Root, "a", "queued")
	require.NoError(t, err)
	torso := f.torsoOf(a.Ino)
	f.store.Start()
	f.drain()
	f.published("a", "queued")
	require.Zero(t, mended.Load())
	require.NoError(t, f.overwrite(f.lookup(Root, "a").Ino, "newest"))
	f.drain()
	f.published("a", "newest")
	require.EqualValues(t, 1, mended.Load())
	torso.Release()
}

// TestAKillAfterATorsoOverQueuedContent checks that a mount that is killed then leaves the queued
// content, and its copy, to the inode that has the name.
func TestAKillAfterATorsoOverQueuedContent(t *testing.T) {
	t.Parallel()
	for name, rebooted := range map[string]bool{"same boot": false, "another boot": true} {
		t.Run(name, func(t *testing.T) {
			f, open := midway(t)
			old := f.torsoOf(f.lookup(Root, "a").Ino)
			require.NoError(t, f.store.Sync())
			g := f.left(t)
			if rebooted {
				g.inState(t, "UPDATE value SET value = 'another' WHERE key = ?", recovery.BootKey)
			}
			g.service = newFakeService()
			g.options.Service = g.service
			g.open()
			g.drain()
			g.published("a", "one")
			require.Equal(t, map[string]string{"a": "half"}, g.inFailed())
			g.reopen()
			require.Equal(t, map[string]string{"a": "half"}, g.inFailed())
			g.close()
			open()
			old.Release()
			f.drain()
		})
	}
}

// TestATorsoDuringAnUpload checks that the outcome of another program's close, under way when a
// writer is killed, decides about that program's content alone.
func TestATorsoDuringAnUpload(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]error{"sent": nil, "refused": errNo} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			a, err := f.create(Root, "a", "whole")
			require.NoError(t, err)
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			f.appendAll(h, "r")
			if refusal != nil {
				f.service.fail("UploadFile", refusal)
			}
			goOn := f.service.hold("UploadFile")
			closed := make(chan error, 1)
			go func() { closed <- h.Flush(ctx) }()
			<-f.service.entered
			old := f.torsoOf(a.Ino)
			goOn()
			require.Equal(t, refusal, <-closed)
			want := "wholer"
			if refusal != nil {
				want = "whole"
			}
			content, err := f.read(f.lookup(Root, "a").Ino)
			require.NoError(t, err)
			require.Equal(t, want, content)
			h.Release()
			old.Release()
			f.drain()
			f.published("a", want)
			require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
		})
	}
}

// TestAFailedWriteThatLeavesNothing checks that a writer that was killed after a write that found no
// room leaves the file as it was, with its inode.
func TestAFailedWriteThatLeavesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, ten)
	a, err := f.create(Root, "a", "whole")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	other, err := f.create(Root, ".other", "12345678")
	require.NoError(t, err)
	_, err = h.WriteAt([]byte("half"), 0)
	require.True(t, Is(err, Full), "%v", err)
	h.Abandon(errors.New("killed"))
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "whole", content)
	h.Release()
	require.Equal(t, a.Ino, f.lookup(Root, "a").Ino)
	require.NotZero(t, other.Ino)
	require.Empty(t, f.store.Failed())
}

// TestATorsoOfANewFile checks that the name is free at once, also for a new file.
func TestATorsoOfANewFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, old, err := f.store.Create(Root, "a", New{Mode: 0o644})
	require.NoError(t, err)
	f.writeAll(old, "half")
	old.Abandon(errors.New("killed"))
	f.absent(Root, "a")
	_, err = f.create(Root, "a", "whole")
	require.NoError(t, err)
	old.Release()
	f.published("a", "whole")
	require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
	require.True(t, f.store.Failed()[0].Replaced)
}

// TestATorsoIsNotRenamed checks that a rename right after a writer was killed moves what the file
// held before.
func TestATorsoIsNotRenamed(t *testing.T) {
	t.Parallel()
	for _, to := range []string{".a", "b"} {
		t.Run(to, func(t *testing.T) {
			f := newFixture(t, deleting, moving)
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
