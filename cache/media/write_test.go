package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func TestWriteDuringUploadLeavesTheUploadAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, h, err := f.store.Create(Root, "a", New{})
	require.NoError(t, err)
	f.writeAll(h, "first")
	open := f.service.hold("UploadFile")
	done := make(chan error, 1)
	go func() { done <- h.Flush(ctx) }()
	<-f.service.entered
	require.Len(t, f.store.Uploads(), 1)
	_, err = h.WriteAt([]byte("X"), 0)
	require.NoError(t, err)
	open()
	require.NoError(t, <-done)
	f.published("a", "first")
	require.Equal(t, Writing, f.lookup(Root, "a").Where)
	require.NoError(t, h.Flush(ctx))
	f.published("a", "Xirst")
	h.Release()
	require.Equal(t, Published, f.lookup(Root, "a").Where)
	require.Zero(t, f.store.Status().SpoolBytes)
}

func TestDifferentPathsGoInParallelOnePathInTurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, one, err := f.store.Create(Root, "a", New{})
	require.NoError(t, err)
	two, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	_, other, err := f.store.Create(Root, "b", New{})
	require.NoError(t, err)
	f.writeAll(one, "one")
	f.writeAll(other, "other")
	open := f.service.hold("UploadFile")
	done := make(chan error, 3)
	go func() { done <- one.Flush(ctx) }()
	<-f.service.entered
	_, err = two.WriteAt([]byte("two"), 0)
	require.NoError(t, err)
	go func() { done <- two.Flush(ctx) }()
	go func() { done <- other.Flush(ctx) }()
	<-f.service.entered // b next to a; the second upload of a waits
	require.Equal(t, 2, f.service.count("UploadFile"))
	open()
	for range 3 {
		require.NoError(t, <-done)
	}
	f.published("a", "two")
	f.published("b", "other")
	for _, h := range []*Handle{one, two, other} {
		h.Release()
	}
}

func TestFailedUploadOfANewName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("UploadFile", errNo, errNo)
	_, h, err := f.store.Create(Root, "a.jpg", New{Mode: 0o640})
	require.NoError(t, err)
	f.writeAll(h, "content")
	require.ErrorIs(t, h.Flush(ctx), errNo)
	require.ErrorIs(t, h.Flush(ctx), errNo, "each close reports the error")
	h.Release()
	f.absent(Root, "a.jpg")
	f.eventually(func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.changes) > 0 })

	failed := f.store.Failed()
	require.Len(t, failed, 1)
	require.Equal(t, "a.jpg", failed[0].Name)
	require.Contains(t, failed[0].Reason, "no room")
	require.EqualValues(t, 7, failed[0].Size)
	require.EqualValues(t, 7, f.store.Status().SpoolBytes)

	f.reopen()
	require.Len(t, f.store.Failed(), 1)
	require.EqualValues(t, 7, f.store.Status().SpoolBytes)
	require.NoError(t, f.store.RetryFailed(ctx, "a.jpg", Root, "b.jpg", true))
	f.published("b.jpg", "content")
	require.Empty(t, f.store.Failed())
	require.Zero(t, f.store.Status().SpoolBytes)
	b := f.lookup(Root, "b.jpg")
	require.EqualValues(t, 0o640, b.Mode)
	content, err := f.read(b.Ino)
	require.NoError(t, err)
	require.Equal(t, "content", content)
	require.Zero(t, f.service.count("Download"))
}

func TestFailedUploadOfAnExistingName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, "a", "old")
	require.NoError(t, err)
	before := f.lookup(Root, "a")
	for i, text := range []string{"new", "newer"} {
		f.service.fail("UploadFile", errNo)
		require.ErrorIs(t, f.overwrite(f.lookup(Root, "a").Ino, text), errNo)
		after := f.lookup(Root, "a")
		require.Equal(t, before.Size, after.Size)
		require.Equal(t, before.Mtime, after.Mtime, "a later rsync would mistake the old content for the new")
		content, err := f.read(after.Ino)
		require.NoError(t, err)
		require.Equal(t, "old", content)
		require.Len(t, f.store.Failed(), 1, "failed/ has only the newest attempt at a path, try %d", i)
	}
	file, err := f.store.OpenFailed("a")
	require.NoError(t, err)
	defer file.Close()
	b := make([]byte, 9)
	n, _ := file.Read(b)
	require.Equal(t, "newer", string(b[:n]))
	require.NoError(t, f.store.DiscardFailed("a"))
	require.Empty(t, f.store.Failed())
	require.Zero(t, f.store.Status().SpoolBytes)
	require.True(t, Is(f.store.DiscardFailed("a"), NotFound))
}

// TestNoCloseIsLost checks that opening a file while its last failed writer is finalized
// either fails, or the caller's own close reports that its upload failed.
func TestNoCloseIsLost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	times := 200
	if !testrun.All() {
		times = 50
	}
	for range times {
		f.service.fail("UploadFile", errNo, errNo)
		a, first, err := f.store.Create(Root, "a", New{})
		require.NoError(t, err)
		f.writeAll(first, "first")
		require.ErrorIs(t, first.Flush(ctx), errNo)
		released := make(chan struct{})
		go func() { first.Release(); close(released) }()
		if second, err := f.store.Open(a.Ino, true); err == nil {
			_, err := second.WriteAt([]byte("second"), 0)
			require.NoError(t, err)
			require.ErrorIs(t, second.Flush(ctx), errNo)
			second.Release()
		} else {
			require.True(t, Is(err, NotFound) || Is(err, Stale), "%v", err) // Stale: its name is gone, its content not yet
		}
		<-released
		f.absent(Root, "a")
		f.service.mu.Lock()
		clear(f.service.failures)
		f.service.mu.Unlock()
	}
}

func TestCloseWaitsForUploads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, h, err := f.store.Create(Root, "a", New{})
	require.NoError(t, err)
	f.writeAll(h, "content")
	open := f.service.hold("UploadFile")
	flushed := make(chan error, 1)
	go func() { flushed <- h.Flush(ctx) }()
	<-f.service.entered
	closed := make(chan struct{})
	go func() { f.close(); close(closed) }()
	f.eventually(func() bool { return f.store.Outbox.Closed() })
	require.Error(t, f.rename(Root, "a", Root, "b"), "no change starts after Close")
	open()
	require.NoError(t, <-flushed)
	<-closed
	h.Release()
	f.open()
	require.Equal(t, Published, f.lookup(Root, "a").Where)
	require.Empty(t, f.store.Failed())
}

func TestFailedEmptyFileIsReported(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("UploadFile", errNo)
	_, err := f.create(Root, "a", "")
	require.NoError(t, err)
	f.eventually(func() bool { // in no promised order
		_, err := f.store.Lookup(ctx, Root, "a")
		failed := f.store.Failed()
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.reports) == 1 && len(failed) == 1 && Is(err, NotFound)
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	require.ErrorIs(t, f.reports[0], errNo)
}

// TestAnEmptyFileLingers checks that an empty file is not sent at once, because programs
// create an empty file as a test and remove it, or create it first and write to it later.
func TestAnEmptyFileLingers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.Linger = time.Hour })
	f.absent(Root, "probe")
	requests := f.service.total()
	_, err := f.create(Root, "probe", "")
	require.NoError(t, err)
	require.NoError(t, f.store.Unlink(ctx, Root, "probe"))
	a, err := f.create(Root, "later", "")
	require.NoError(t, err)
	require.NoError(t, f.overwrite(a.Ino, "content"))
	require.Equal(t, requests+1, f.service.total())
	_, err = f.create(Root, "empty", "")
	require.NoError(t, err)
	require.Len(t, f.store.Queue(), 1)
	f.store.RetryNow()
	f.drain()
	require.Equal(t, map[string]string{"later": "content", "empty": ""}, f.service.all())
}

// TestTheQueueGivesWay checks that what is queued is sent in the background, behind the requests that people wait for,
// and that a close which is waited for is not.
func TestTheQueueGivesWay(t *testing.T) {
	t.Parallel()
	for hurried, options := range [][]func(*Options){{writingBack}, {}} {
		f := newFixture(t, options...)
		_, err := f.create(Root, "a", "content")
		require.NoError(t, err)
		f.drain()
		f.published("a", "content")
		require.EqualValues(t, hurried, f.service.hurried.Load(), "uploads that others wait behind")
	}
}

// TestARetryOverAFileHasAnotherInode checks that readers of a file over which content of failed/ is sent keep what they read:
// the name gets another inode.
func TestARetryOverAFileHasAnotherInode(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, err := f.create(Root, "a", "old")
	require.NoError(t, err)
	reader, err := f.store.Open(a.Ino, false)
	require.NoError(t, err)
	defer reader.Release()
	f.service.fail("UploadFile", refused("UploadFile"))
	_, err = f.create(Root, "b", "new")
	require.Error(t, err)
	require.NoError(t, f.store.RetryFailed(ctx, "b", Root, "a", false))
	f.published("a", "new")
	content := make([]byte, 3)
	_, err = reader.ReadAt(ctx, content, 0)
	require.NoError(t, err)
	require.Equal(t, "old", string(content))
	require.NotEqual(t, a.Ino, f.lookup(Root, "a").Ino)
}

// TestAMoveTakesNoNameOfOthers checks that a move to a name that is free as far as is known replaces nothing that others have
// put there since, also at a service that compares no versions.
func TestAMoveTakesNoNameOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting, moving)
	_, err := f.create(Root, "a", "mine")
	require.NoError(t, err)
	f.service.set(0, "b", "theirs")
	require.Error(t, f.rename(Root, "a", Root, "b"))
	f.published("b", "theirs")
	f.published("a", "mine")
}
