package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnUploadThatTheEndOfTheProcessCutIsChecked: it may take effect late, so the
// next success at its place is looked at in the tree.
func TestAnUploadThatTheEndOfTheProcessCutIsChecked(t *testing.T) {
	t.Run("waited for", func(t *testing.T) {
		f := newFixture(t)
		a, err := f.create(Root, "a", "one")
		require.NoError(t, err)
		require.NoError(t, f.store.Refresh(ctx))
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		f.writeAll(h, "two")
		f.reopen() // without a close, as after kill -9
		f.checked(func() { require.NoError(t, f.overwrite(a.Ino, "three")) })
		f.published("a", "three")
	})
	t.Run("queued", func(t *testing.T) {
		f := newFixture(t, writingBack)
		f.absent(Root, "a")
		open := f.service.hold("UploadFile")
		_, err := f.create(Root, "a", "one")
		require.NoError(t, err)
		<-f.service.entered
		f.close()
		open()
		f.checked(func() {
			f.open()
			f.drain()
		})
		f.published("a", "one")
	})
}

// checked checks that the outcome of an upload is looked at, once.
func (f *fixture) checked(upload func()) {
	before := f.service.count("GetTree")
	upload()
	require.GreaterOrEqual(f.t, f.service.count("GetTree"), before+1)
	require.Empty(f.t, f.store.unknown.set)
}

// The end of the process leaves a half copy of a spool: the next mount drops it
// and uses the spool that was copied.
func TestKilledWhileASpoolIsCopied(t *testing.T) {
	f := newFixture(t)
	a, err := f.create(Root, ".scratch", "whole")
	require.NoError(t, err)
	require.NoError(t, f.store.Sync())
	f.close()
	torso := (&spools{dir: filepath.Join(f.dirs.State, "spool")}).file(a.Ino, 99) + unfinishedEnd
	require.DirExists(t, filepath.Dir(torso))
	require.NoError(t, os.WriteFile(torso, []byte("wh"), 0o600))
	f.open()
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "whole", content)
	require.NoFileExists(t, torso)
}

// TestWhatIsWrittenStaysWhenTheServiceMovesItAway: the service moves a file, of
// which newer content is queued, to a place that cannot be shown.
func TestWhatIsWrittenStaysWhenTheServiceMovesItAway(t *testing.T) {
	f := newFixture(t, writingBack)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.drain()
	open := f.service.hold("UploadFile")
	require.NoError(t, f.overwrite(a.Ino, "two"))
	<-f.service.entered
	f.service.mu.Lock()
	f.service.files[f.store.nodes[a.Ino].pub.id].name = "not/shown"
	f.service.mu.Unlock()
	require.NoError(t, f.store.Refresh(ctx))
	require.Equal(t, []string{"a"}, names(t, f, Root))
	open()
	f.drain()
	f.published("a", "two")
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "two", content)
	require.Empty(t, f.store.Failed())
}
