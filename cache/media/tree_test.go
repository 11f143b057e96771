package media

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/recovery"
	"paperfs/remote"
)

func shownNames(t *testing.T, f *fixture, dir Ino) []string {
	list, err := f.store.List(ctx, dir)
	require.NoError(t, err)
	var names []string
	for _, e := range list.Entries {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return names
}

// TestATreeThatOthersHaveFetchedIsNotAskedForAgain checks a caller that found the tree too old
// and starts its request late.
func TestATreeThatOthersHaveFetchedIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.Empty(t, shownNames(t, f, Root))
	f.pass(6 * time.Minute)
	require.NoError(t, f.store.Refresh(ctx))
	f.store.FetchOldTree()
	require.NoError(t, f.store.Refresh(ctx)) // starts after the flight in progress
	require.Equal(t, 3, f.service.count("GetTree"))
	f.pass(6 * time.Minute)
	f.store.FetchOldTree()
	require.NoError(t, f.store.Refresh(ctx))
	require.Equal(t, 5, f.service.count("GetTree"))
}

func TestARefreshThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.set(0, "a", "x")
	f.lookup(Root, "a")
	f.pass(6 * time.Minute)
	f.service.set(0, "b", "y")
	f.service.fail("GetTree", errNo)
	f.lookup(Root, "a")
	f.eventually(func() bool { return f.store.Status().FetchError != nil })
	f.lookup(Root, "a")
	f.lookup(Root, "a")
	require.Equal(t, 2, f.service.total(), "a failed fetch is not repeated at once")
	f.pass(11 * time.Second)
	f.lookup(Root, "a")
	f.eventually(func() bool { _, err := f.store.Lookup(ctx, Root, "b"); return err == nil })
	require.Equal(t, 3, f.service.total())
}

func TestWaitersShareAFailure(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("GetTree", errNo)
	_, err := f.store.List(ctx, Root)
	require.ErrorIs(t, err, errNo, "an empty listing would be wrong")
	require.Empty(t, shownNames(t, f, Root))
}

func TestWithoutGetTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("GetTree", &remote.Error{Op: "GetTree", Kind: remote.NotOffered})
	require.Empty(t, shownNames(t, f, Root))
	dir := f.mkdir(Root, "dir")
	_, err := f.create(dir, "a", "x")
	require.NoError(t, err)
	f.service.fail("GetTree", &remote.Error{Op: "GetTree", Kind: remote.NotOffered})
	f.reopen()
	require.Equal(t, []string{"dir"}, shownNames(t, f, Root))
	a := f.lookup(f.lookup(Root, "dir").Ino, "a")
	require.Equal(t, Published, a.Where)
	require.EqualValues(t, 1, a.Size)
}

func TestChangesOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stays := f.service.set(0, "stays", "1")
	changes := f.service.set(0, "changes", "1")
	goes := f.service.set(0, "goes", "1")
	moves := f.service.set(0, "moves", "1")
	require.Len(t, shownNames(t, f, Root), 4)
	before := map[string]Attr{}
	for _, name := range shownNames(t, f, Root) {
		before[name] = f.lookup(Root, name)
	}
	f.service.mu.Lock()
	f.service.dirs[50] = remote.MediaDir{ID: 50, Name: "new dir"}
	f.service.files[changes].data = []byte("22")
	delete(f.service.files, goes)
	f.service.files[moves] = &fakeFile{parent: 50, name: "moved", data: []byte("1")}
	f.service.mu.Unlock()
	f.pass(time.Hour)
	require.NoError(t, f.store.Refresh(ctx))

	require.Equal(t, []string{"changes", "new dir", "stays"}, shownNames(t, f, Root))
	require.Equal(t, before["stays"], f.lookup(Root, "stays"))
	after := f.lookup(Root, "changes")
	require.NotEqual(t, before["changes"].Ino, after.Ino, "other content, another inode")
	require.EqualValues(t, 2, after.Size)
	require.True(t, after.Mtime.After(before["changes"].Mtime))
	require.Equal(t, before["moves"].Ino, f.lookup(f.lookup(Root, "new dir").Ino, "moved").Ino)
	require.NotZero(t, stays)

	newDir := f.lookup(Root, "new dir").Ino
	f.eventually(func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.changes) >= 3 })
	f.mu.Lock()
	defer f.mu.Unlock()
	told := map[Ino]Changed{}
	for _, c := range f.changes {
		told[c.Dir] = c
	}
	require.ElementsMatch(t, []string{"changes", "goes", "moves", "new dir"}, told[Root].Entries)
	require.Equal(t, []string{"moved"}, told[newDir].Entries)
}

func TestOwnChangesAreNotOverwritten(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	_, err := f.create(Root, "old", "1")
	require.NoError(t, err)
	_, err = f.create(Root, "deleted", "1")
	require.NoError(t, err)
	require.NoError(t, f.store.Refresh(ctx))

	open := f.service.hold("GetTree")
	done := make(chan error, 1)
	go func() { done <- f.store.Refresh(ctx) }()
	<-f.service.entered // an answer that is ready, but arrives late
	require.NoError(t, f.overwrite(f.lookup(Root, "old").Ino, "22"))
	_, err = f.create(Root, "new", "3")
	require.NoError(t, err)
	dir := f.mkdir(Root, "dir")
	_, err = f.create(dir, "in it", "4")
	require.NoError(t, err)
	require.NoError(t, f.store.Unlink(ctx, Root, "deleted"))
	open()
	require.NoError(t, <-done)
	require.Equal(t, []string{"dir", "new", "old"}, shownNames(t, f, Root))
	require.EqualValues(t, 2, f.lookup(Root, "old").Size)
	require.Equal(t, []string{"in it"}, shownNames(t, f, dir))
	require.NoError(t, f.store.Refresh(ctx))
	require.Equal(t, []string{"dir", "new", "old"}, shownNames(t, f, Root))
}

func TestWritingAFileThatOthersDelete(t *testing.T) {
	t.Parallel()
	for _, left := range []string{"new", ""} { // emptied
		f := newFixture(t)
		a, err := f.create(Root, "a", "old")
		require.NoError(t, err)
		require.NoError(t, f.store.Refresh(ctx))
		writer, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		f.service.mu.Lock()
		clear(f.service.files)
		f.service.mu.Unlock()
		require.NoError(t, f.store.Refresh(ctx))
		f.absent(Root, "a")
		require.NoError(t, writer.Flush(ctx), "nothing was written")
		require.NoError(t, writer.Truncate(0))
		if left != "" {
			f.writeAll(writer, left)
		}
		require.True(t, Is(writer.Flush(ctx), Superseded), "a close that cannot publish fails")
		writer.Release()
		failed := f.store.Failed()
		require.Len(t, failed, 1)
		require.Equal(t, "a", failed[0].Path)
		require.EqualValues(t, len(left), failed[0].Size)
		require.EqualValues(t, len(left), f.store.Status().SpoolBytes)
		require.NoError(t, f.store.RetryFailed(ctx, "a", Root, "a", false))
		f.eventually(func() bool { _, there := f.service.at("a"); return there })
		f.published("a", left)
	}
}

func TestADirectoryThatVanishesKeepsWhatIsOurs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dir := f.mkdir(Root, "dir")
	_, err := f.create(dir, "theirs", "1")
	require.NoError(t, err)
	_, err = f.create(dir, ".scratch", "2")
	require.NoError(t, err)
	f.service.mu.Lock()
	clear(f.service.dirs)
	clear(f.service.files)
	f.service.mu.Unlock()
	require.NoError(t, f.store.Refresh(ctx))
	a := f.lookup(Root, "dir")
	require.Equal(t, Local, a.Where)
	require.Equal(t, []string{".scratch"}, shownNames(t, f, a.Ino))
}

// TestADirectoryThatCannotBeShownTakesWhatIsInIt checks that what is in a directory that others move to a name which a local file
// has is shown again with it: nothing of it is left below the directory that was dropped.
func TestADirectoryThatCannotBeShownTakesWhatIsInIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dir, err := f.service.CreateDirectory(ctx, 0, "d")
	require.NoError(t, err)
	below, err := f.service.CreateDirectory(ctx, dir, "below")
	require.NoError(t, err)
	f.service.set(dir, "a", "one")
	f.service.set(below, "b", "two")
	require.True(t, f.refreshed())
	open, err := f.store.Open(f.lookup(f.lookup(Root, "d").Ino, "a").Ino, false)
	require.NoError(t, err)
	_, local, err := f.store.Create(Root, "e", New{Mode: 0o600})
	require.NoError(t, err)
	require.NoError(t, f.service.MoveDirectory(ctx, dir, 0, "e", false))
	require.True(t, f.refreshed())
	f.absent(Root, "d")
	f.service.set(dir, "c", "three")
	require.True(t, f.refreshed(), "with a change below what is not shown")
	require.NoError(t, f.store.Unlink(ctx, Root, "e")) // once it is released, it may be at the service
	local.Release()
	require.True(t, f.refreshed())
	open.Release()
	e := f.lookup(Root, "e").Ino
	require.Equal(t, []string{"a", "below", "c"}, shownNames(t, f, e))
	require.Equal(t, []string{"b"}, shownNames(t, f, f.lookup(e, "below").Ino))
	content, err := f.read(f.lookup(e, "a").Ino)
	require.NoError(t, err)
	require.Equal(t, "one", content)
}

func TestReadingBack(t *testing.T) {
	t.Parallel()
	t.Run("from the address, once", func(t *testing.T) {
		f := newFixture(t)
		f.service.set(0, "a", "content")
		a := f.lookup(Root, "a")
		for range 2 {
			content, err := f.read(a.Ino)
			require.NoError(t, err)
			require.Equal(t, "content", content)
		}
		f.reopen()
		_, err := f.read(a.Ino)
		require.NoError(t, err)
		require.Equal(t, 1, f.service.count("Download"))
	})
	t.Run("cached content that went bad is fetched again", func(t *testing.T) {
		f := newFixture(t)
		f.service.set(0, "a", "content")
		a := f.lookup(Root, "a")
		_, err := f.read(a.Ino)
		require.NoError(t, err)
		s := sum([]byte("content"))
		require.NoError(t, os.WriteFile(filepath.Join(f.dirs.Cache, "media", s[:2], s), []byte("CONTENT"), 0o600))
		f.reopen()
		content, err := f.read(a.Ino)
		require.NoError(t, err)
		require.Equal(t, "content", content)
		require.Equal(t, 2, f.service.count("Download"))
	})
	t.Run("content that does not match the tree is refused", func(t *testing.T) {
		f := newFixture(t)
		id := f.service.set(0, "a", "content")
		a := f.lookup(Root, "a")
		f.service.mu.Lock()
		f.service.files[id].data = []byte("newer content")
		f.service.mu.Unlock()
		content, err := f.read(a.Ino)
		require.True(t, Is(err, Superseded), "%q: %v", content, err)
		content, err = f.read(f.lookup(Root, "a").Ino)
		require.NoError(t, err)
		require.Equal(t, "newer content", content)
	})
	t.Run("a file without an address has no content", func(t *testing.T) {
		f := newFixture(t)
		f.service.tell(func(s *fakeService) { s.plain = true })
		f.service.set(0, "a", "content")
		a := f.lookup(Root, "a")
		require.False(t, a.SizeKnown)
		require.EqualValues(t, 1024, a.Size)
		_, err := f.read(a.Ino)
		require.True(t, Is(err, NoContent), "%v", err)
		reader, err := f.store.Open(a.Ino, false)
		require.NoError(t, err)
		require.True(t, Is(reader.Begin(ctx), NoContent))
		reader.Release()
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err, "opening for writing always succeeds")
		_, err = h.WriteAt([]byte("x"), 3)
		require.True(t, Is(err, NoContent))
		h.Release()
		require.NoError(t, f.overwrite(a.Ino, "new"), "truncating to size 0 needs no content")
		f.published("a", "new")
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	t.Run("content published by a flush stays published", func(t *testing.T) {
		f := newFixture(t)
		_, h, err := f.store.Create(Root, "a", New{})
		require.NoError(t, err)
		f.writeAll(h, "content")
		require.NoError(t, h.Flush(ctx))
		f.reopen()
		require.Empty(t, f.store.Failed())
		content, err := f.read(f.lookup(Root, "a").Ino)
		require.NoError(t, err)
		require.Equal(t, "content", content)
		require.Zero(t, f.store.Status().SpoolBytes)
	})
	t.Run("the queue continues", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Transfers = 1 })
		open := f.service.hold("UploadFile")
		_, err := f.create(Root, "first", "")
		require.NoError(t, err)
		<-f.service.entered
		_, err = f.create(Root, "second", "")
		require.NoError(t, err)
		closed := make(chan struct{})
		go func() { f.close(); close(closed) }()
		f.eventually(func() bool { return f.store.Outbox.Closed() })
		open()
		<-closed
		require.Len(t, f.service.all(), 1)
		f.open()
		f.eventually(func() bool { return len(f.service.all()) == 2 })
		f.published("second", "")
	})
	t.Run("inode numbers are never reused", func(t *testing.T) {
		f := newFixture(t)
		a, err := f.create(Root, ".a", "x")
		require.NoError(t, err)
		require.NoError(t, f.store.Unlink(ctx, Root, ".a"))
		f.reopen()
		b, err := f.create(Root, ".b", "x")
		require.NoError(t, err)
		require.Greater(t, b.Ino, a.Ino)
	})
}

func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	lost := &remote.Error{Op: "UploadFile", Kind: remote.Broken, Ambiguous: true, Err: errors.New("connection reset")}
	f := newFixture(t)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.service.tell(func(s *fakeService) { s.late = true })
	f.service.fail("UploadFile", lost)
	require.ErrorIs(t, f.overwrite(a.Ino, "two"), lost)
	require.Len(t, f.store.Failed(), 1)
	f.lookup(Root, "a") // reads the tree again: the service did store it
	f.eventually(func() bool {
		content, err := f.read(f.lookup(Root, "a").Ino)
		return err == nil && content == "two"
	})

	f.reopen()
	a = f.lookup(Root, "a")
	f.store.Flights.Wait()
	trees := f.service.count("GetTree")
	require.NoError(t, f.overwrite(a.Ino, "three"))
	require.Equal(t, trees+1, f.service.count("GetTree"), "the next success is verified")
	require.NoError(t, f.overwrite(a.Ino, "four"))
	require.Equal(t, trees+1, f.service.count("GetTree"), "one verification is enough")
	f.published("a", "four")
}

// TestAfterANewBootTheTreeIsAskedForAgain checks that the mount fetches the tree, because the
// state may lack the last uploads after a reboot.
func TestAfterANewBootTheTreeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.NoError(t, f.store.Refresh(ctx))
	trees := f.service.count("GetTree")
	f.reopen()
	f.absent(Root, "a")
	require.Equal(t, trees, f.service.count("GetTree"))

	require.NoError(t, f.state.SetValue(recovery.BootKey, "another"))
	f.service.set(0, "a", "sent before the machine ended")
	f.reopen()
	f.eventually(func() bool {
		_, err := f.store.Lookup(ctx, Root, "a")
		return err == nil
	})
	require.Equal(t, trees+1, f.service.count("GetTree"))
}
