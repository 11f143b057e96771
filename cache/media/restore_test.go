package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/reconcile"
)

// TestNoBackupReplacesWhatNobodyHasSeen checks that a program whose close failed, because others have
// changed the file, cannot put another content in the place of their version at once.
func TestNoBackupReplacesWhatNobodyHasSeen(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]func(*Options){"direct": {deleting, moving}, "write-back": {deleting, moving, writingBack}} {
		t.Run(mode, func(t *testing.T) {
			f := newFixture(t, options...)
			a, err := f.create(Root, "f", "old")
			require.NoError(t, err)
			f.drain()
			_, err = f.create(Root, "f~", "old")
			require.NoError(t, err)
			_, err = f.create(Root, "g", "other")
			require.NoError(t, err)
			f.drain()
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			require.NoError(t, h.Truncate(0))
			f.writeAll(h, "mine")
			f.service.set(0, "f", "theirs")
			require.NoError(t, f.store.Refresh(ctx))
			require.True(t, Is(h.Flush(ctx), Superseded))
			restore := map[string]func() error{
				"open": func() error {
					h, err := f.store.Open(f.lookup(Root, "f").Ino, true)
					if err == nil {
						h.Release()
					}
					return err
				},
				"truncate":     func() error { return f.store.SetSize(ctx, f.lookup(Root, "f").Ino, 0) },
				"rename":       func() error { return f.rename(Root, "f~", Root, "f") },
				"rename other": func() error { return f.rename(Root, "g", Root, "f") },
				"rename away":  func() error { return f.rename(Root, "f", Root, "f.orig~") },
				"remove":       func() error { return f.store.Unlink(ctx, Root, "f") },
			}
			for name, restore := range restore {
				require.True(t, Is(restore(), Newer), name)
			}
			h.Release()
			f.drain()
			content, err := f.read(f.lookup(Root, "f").Ino)
			require.NoError(t, err)
			require.Equal(t, "theirs", content)
			f.published("f", "theirs")
			require.Equal(t, map[string]string{"f": "mine"}, f.inFailed())
			f.pass(reconcile.Protection)
			require.NoError(t, f.rename(Root, "f~", Root, "f"))
			f.drain()
			f.published("f", "old")
		})
	}
}

// TestARefusalProlongsNoOther checks that a program that repeats a change, which is refused, waits no longer for that: the
// version of others can be replaced some seconds after it was first met.
func TestARefusalProlongsNoOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t, moving)
	_, err := f.create(Root, "mine", "mine")
	require.NoError(t, err)
	_, err = f.create(Root, "f", "old")
	require.NoError(t, err)
	f.service.set(0, "f", "theirs")
	for met := f.clock(); f.clock().Sub(met) < reconcile.Protection; f.pass(reconcile.Protection / 3) {
		require.True(t, Is(f.rename(Root, "mine", Root, "f"), Newer))
	}
	require.NoError(t, f.rename(Root, "mine", Root, "f"))
	f.published("f", "mine")
}
