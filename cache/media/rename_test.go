package media

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

func deleting(o *Options) { o.AllowDelete = true }

// moving lets the service offer moves.
func moving(o *Options) { o.Service.(*fakeService).moves = true }

func TestScratchRenameIsTheUpload(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, err := f.create(Root, ".photo.jpg.Xa81Bc", "content")
	require.NoError(t, err)
	require.Equal(t, Local, a.Where)
	require.Zero(t, f.service.total())
	require.Equal(t, 1, f.store.Status().Local)

	f.service.fail("UploadFile", errNo)
	require.ErrorIs(t, f.rename(Root, ".photo.jpg.Xa81Bc", Root, "photo.jpg"), errNo)
	require.Equal(t, Local, f.lookup(Root, ".photo.jpg.Xa81Bc").Where, "the source stays")
	f.absent(Root, "photo.jpg")
	require.Empty(t, f.store.Failed(), "the source still has the content")

	require.NoError(t, f.rename(Root, ".photo.jpg.Xa81Bc", Root, "photo.jpg"))
	f.published("photo.jpg", "content")
	after := f.lookup(Root, "photo.jpg")
	require.Equal(t, a.Ino, after.Ino)
	require.Equal(t, Published, after.Where)
	f.absent(Root, ".photo.jpg.Xa81Bc")
	require.Zero(t, f.store.Status().SpoolBytes)
	content, err := f.read(after.Ino)
	require.NoError(t, err)
	require.Equal(t, "content", content)
}

func TestNoDescriptorIsLeft(t *testing.T) {
	f := newFixture(t, deleting, moving)
	open := func() int {
		fds, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(fds)
	}
	f.absent(Root, "a")
	before := open()
	for i := range 20 {
		stays := fmt.Sprintf(".stays%d", i)
		_, err := f.create(Root, stays, "content")
		require.NoError(t, err)
		f.service.fail("UploadFile", errNo)
		require.ErrorIs(t, f.rename(Root, stays, Root, "a"), errNo)
		_, err = f.create(Root, ".a", "content")
		require.NoError(t, err)
		require.NoError(t, f.rename(Root, ".a", Root, "a"))
		_, err = f.read(f.lookup(Root, "a").Ino)
		require.NoError(t, err)
		require.NoError(t, f.rename(Root, "a", Root, "b"))
		require.NoError(t, f.rename(Root, "b", Root, "b~"))
		require.NoError(t, f.store.Unlink(ctx, Root, "b~"))
		_, err = f.create(Root, "empty", "")
		require.NoError(t, err)
		f.eventually(func() bool { return f.lookup(Root, "empty").Where == Published })
		require.NoError(t, f.store.Unlink(ctx, Root, "empty"))
	}
	f.eventually(func() bool { return open() <= before+3 })
}

func TestScratchRenameOverAnExistingFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, "a", "old")
	require.NoError(t, err)
	old := f.lookup(Root, "a")
	reader, err := f.store.Open(old.Ino, false)
	require.NoError(t, err)
	require.NoError(t, load(f.store, reader))
	_, err = f.create(Root, ".a.1", "new")
	require.NoError(t, err)
	require.True(t, Is(f.store.Rename(ctx, Root, ".a.1", Root, "a", true, ""), Exists))
	require.NoError(t, f.rename(Root, ".a.1", Root, "a"))
	f.published("a", "new")
	require.Equal(t, old.ID, f.lookup(Root, "a").ID, "the service keeps the id")
	b := make([]byte, 3)
	_, err = reader.ReadAt(ctx, b, 0)
	require.NoError(t, err)
	require.Equal(t, "old", string(b), "an open handle reads the old content")
	reader.Release()
	_, err = f.store.Stat(old.Ino)
	require.True(t, Is(err, NotFound))
}

func TestUnpublishedRenameOverAPublishedFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, "b", "published")
	require.NoError(t, err)
	_, h, err := f.store.Create(Root, "a", New{})
	require.NoError(t, err)
	require.NoError(t, f.rename(Root, "a", Root, "b"))
	require.Zero(t, f.lookup(Root, "b").Size)
	f.service.fail("UploadFile", errNo)
	f.writeAll(h, "new")
	require.ErrorIs(t, h.Flush(ctx), errNo)
	h.Release()
	f.published("b", "published")
	content, err := f.read(f.lookup(Root, "b").Ino)
	require.NoError(t, err)
	require.Equal(t, "published", content)
	require.Len(t, f.store.Failed(), 1)
}

func TestPublishedRename(t *testing.T) {
	t.Parallel()
	t.Run("is refused without a request where there are no moves, and deleting is off", func(t *testing.T) {
		f := newFixture(t)
		_, err := f.create(Root, "a", "x")
		require.NoError(t, err)
		for _, target := range []string{"b", "A", ".b"} {
			require.True(t, Is(f.rename(Root, "a", Root, target), Unsupported), target)
		}
		require.Equal(t, 1, f.service.total())
	})
	t.Run("to a scratch name takes it from the service", func(t *testing.T) {
		f := newFixture(t, deleting)
		a, err := f.create(Root, "a", "x")
		require.NoError(t, err)
		require.NoError(t, f.rename(Root, "a", Root, "a~"))
		require.Empty(t, f.service.all())
		content, err := f.read(a.Ino)
		require.NoError(t, err)
		require.Equal(t, "x", content)
		require.Equal(t, Local, f.lookup(Root, "a~").Where)
	})
	t.Run("moves what is published, not what is being written", func(t *testing.T) {
		f := newFixture(t, moving)
		a, err := f.create(Root, "a", "done")
		require.NoError(t, err)
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		_, err = h.WriteAt([]byte("half"), 0)
		require.NoError(t, err)
		require.NoError(t, f.rename(Root, "a", Root, "b"))
		f.published("b", "done")
		require.NoError(t, h.Flush(ctx))
		h.Release()
		require.Equal(t, map[string]string{"b": "half"}, f.service.all())
	})
}

func TestDeleting(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	dir := f.mkdir(Root, "logos")
	a, err := f.create(dir, "a", "x")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, false)
	require.NoError(t, err)
	require.NoError(t, f.store.Unlink(ctx, dir, "a"))
	require.Empty(t, f.service.all())
	b := make([]byte, 1)
	_, err = h.ReadAt(ctx, b, 0)
	require.NoError(t, err)
	require.Equal(t, "x", string(b))
	h.Release()

	id := f.service.set(f.lookup(Root, "logos").ID, "theirs", "y")
	require.True(t, Is(f.store.Rmdir(ctx, Root, "logos"), NotEmpty), "the tree is read first")
	require.Zero(t, f.service.count("DeleteDirectory"))
	require.NoError(t, f.service.DeleteFile(ctx, id))
	require.NoError(t, f.store.Refresh(ctx))
	f.service.fail("GetTree", errNo)
	require.ErrorIs(t, f.store.Rmdir(ctx, Root, "logos"), errNo, "without an answer, nothing is deleted")
	require.Zero(t, f.service.count("DeleteDirectory"))
	require.NoError(t, f.store.Rmdir(ctx, Root, "logos"))
	require.Equal(t, 1, f.service.count("DeleteDirectory"))
	f.absent(Root, "logos")
}

func TestNoDeletingWhereItIsNotOffered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	absent := &remote.Error{Op: "GetTree", Kind: remote.NotOffered}
	f.service.fail("GetTree", absent, absent, absent)
	f.absent(Root, "a")
	_, err := f.create(Root, "a", "x")
	require.NoError(t, err)
	dir := f.mkdir(Root, "dir")
	requests := f.service.total()
	require.True(t, Is(f.rename(Root, "a", dir, "a"), Unsupported))
	require.Equal(t, requests, f.service.total())
	require.True(t, Is(f.store.Rmdir(ctx, Root, "dir"), Unsupported) || errors.Is(f.store.Rmdir(ctx, Root, "dir"), errNo))
	require.Zero(t, f.service.count("DeleteDirectory"))
}

func TestUploadThatAnswersWithAnotherFilesID(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, "straße", "old")
	require.NoError(t, err)
	other := f.lookup(Root, "straße")
	f.service.mu.Lock()
	f.service.files[other.ID].name = "STRASSE" // this service folds more than simple folding does
	f.service.mu.Unlock()
	_, err = f.create(Root, "strasse", "new")
	require.True(t, Is(err, Exists), "%v", err)
	require.ErrorContains(t, err, "STRASSE")
	require.Len(t, f.store.Failed(), 1)
	f.eventually(func() bool { return f.service.count("GetTree") >= 2 })
}

// TestARenameBelowANamesake checks that what others have made is not moved into a queued directory that the service
// takes for the same name: the directory would have to be made first, and waited for the rename.
func TestARenameBelowANamesake(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"directory", "file"} {
		t.Run(kind, func(t *testing.T) {
			f := newFixture(t, moving, writingBack, func(o *Options) { o.Paused = true })
			require.NoError(t, f.store.Refresh(ctx))
			d := f.mkdir(Root, "d")
			f.service.tell(func(s *fakeService) {
				if kind == "file" {
					s.put(0, "D", []byte("theirs"))
				} else {
					s.dirs[77] = remote.MediaDir{ID: 77, Name: "D"}
				}
			})
			require.NoError(t, f.store.Refresh(ctx))
			done := make(chan error, 1)
			go func() { done <- f.rename(Root, "D", d, "x") }()
			select {
			case err := <-done:
				require.True(t, Is(err, Exists), "%v", err)
			case <-time.After(testrun.Patience()):
				panic("the rename waits for itself, and so would the end of the test")
			}
			f.lookup(Root, "D")
		})
	}
}
