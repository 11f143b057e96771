package media

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
)

// withJournal returns a fixture with an open database that has a journal. The service has the
// database, but refused a newer version of it.
func withJournal(t *testing.T) (f *fixture, h *Handle) {
	f = newFixture(t)
	f.absent(Root, "x")
	x, err := f.create(Root, "x", "old")
	require.NoError(t, err)
	_, err = f.create(Root, "x-journal", "journal")
	require.NoError(t, err)
	require.Equal(t, Local, f.lookup(Root, "x-journal").Where)
	f.service.fail("UploadFile", errNo)
	h, err = f.store.Open(x.Ino, true)
	require.NoError(t, err)
	require.NoError(t, h.Truncate(0))
	f.writeAll(h, "newer")
	require.Error(t, h.Flush(ctx))
	return f, h
}

// inFailed returns the content of each entry of failed/.
func (f *fixture) inFailed() map[string]string {
	contents := map[string]string{}
	for _, e := range f.store.Failed() {
		file, err := f.store.OpenFailed(e.Name)
		require.NoError(f.t, err)
		content, err := io.ReadAll(file)
		require.NoError(f.t, err)
		require.NoError(f.t, file.Close())
		contents[e.Path] = string(content)
	}
	return contents
}

// TestAJournalGoesWithItsDatabase checks that a database that cannot move to failed/ loses its name
// together with its sidecar files, and that they move later.
func TestAJournalGoesWithItsDatabase(t *testing.T) {
	t.Parallel()
	f, h := withJournal(t)
	back := f.withoutFailed()
	h.Release()
	f.eventually(func() bool { return len(f.store.Queue()) == 2 })
	f.absent(Root, "x-journal")
	back()
	f.store.RetryNow()
	f.drain()
	f.eventually(func() bool { return len(f.store.Failed()) == 2 })
	require.Equal(t, map[string]string{"x": "newer", "x-journal": "journal"}, f.inFailed())
	read, err := f.read(f.lookup(Root, "x").Ino)
	require.NoError(t, err)
	require.Equal(t, "old", read)
}

// TestAKillWhileADatabaseIsSetAside checks that a kill at no point leaves the journal next to
// the older version.
func TestAKillWhileADatabaseIsSetAside(t *testing.T) {
	t.Parallel()
	f, h := withJournal(t)
	var kills []state.Dirs
	kill := func() {
		home := t.TempDir()
		to := state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}
		require.NoError(t, os.CopyFS(to.State, os.DirFS(f.dirs.State)))
		require.NoError(t, os.CopyFS(to.Cache, os.DirFS(f.dirs.Cache)))
		kills = append(kills, to)
	}
	require.NoError(t, f.store.Sync())
	kill()
	sync := f.store.Failures.Sync
	f.store.Failures.Sync = func(dir string) error { // reads the disk after each move
		kill()
		return sync(dir)
	}
	h.Release()
	f.eventually(func() bool { return len(f.store.Failed()) == 2 })
	require.NoError(t, f.store.Sync())
	kill()
	require.Len(t, kills, 4)
	for _, dirs := range kills {
		g := &fixture{t: t, service: f.service, options: f.options, now: f.clock(), dirs: dirs}
		g.open()
		g.absent(Root, "x-journal")
		contents := []string{}
		for _, content := range g.inFailed() {
			contents = append(contents, content)
		}
		require.ElementsMatch(t, []string{"newer", "journal"}, contents)
		g.close()
	}
}
