package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// removeSpools removes what is in the spool directory, as rm -r of the state directory does before the mount makes
// the directory again.
func (f *fixture) removeSpools() {
	removed := filepath.Join(f.dirs.State, "removed") // the queue may write there meanwhile
	require.NoError(f.t, os.Rename(f.store.spools.Path, removed))
	require.NoError(f.t, os.RemoveAll(removed))
	require.NoError(f.t, os.Mkdir(f.store.spools.Path, 0o700))
}

// TestQueuedContentThatHasACopySurvivesItsSpool checks that content is read, sent, and set aside from its copy in the
// database after somebody has removed its spool.
func TestQueuedContentThatHasACopySurvivesItsSpool(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.options.Paused = true // a sender would have what it sends open
	f.reopen()
	small, err := f.create(Root, "small", "small")
	require.NoError(t, err)
	_, err = f.create(Root, "discarded", "discarded")
	require.NoError(t, err)
	f.removeSpools()
	require.NoError(t, f.store.DiscardQueued("discarded"))
	require.EqualValues(t, len("discarded"), f.store.Failed()[0].Size)
	content, err := f.read(small.Ino)
	require.NoError(t, err)
	require.Equal(t, "small", content)
	f.removeSpools()
	f.store.Start()
	f.drain()
	f.published("small", "small")
}
