package media

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

var manyBytes = string(bytes.Repeat([]byte("large "), smallCopy))

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

// TestQueuedContentWhoseSpoolIsRemoved checks that content of which nothing is left is refused, in words, and not tried
// without end, and that its name shows the version of the service again.
func TestQueuedContentWhoseSpoolIsRemoved(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	_, err := f.create(Root, "was", "published")
	require.NoError(t, err)
	f.drain()
	f.options.Paused = true
	f.reopen()
	require.NoError(t, f.overwrite(f.lookup(Root, "was").Ino, manyBytes))
	a, err := f.create(Root, "large", manyBytes)
	require.NoError(t, err)
	f.removeSpools()
	_, err = f.store.Open(a.Ino, false)
	require.True(t, Is(err, Damaged), "%v", err)
	f.store.Start()
	f.drain()
	f.absent(Root, "large")
	content, err := f.read(f.lookup(Root, "was").Ino)
	require.NoError(t, err)
	require.Equal(t, "published", content)
	require.Len(t, f.store.Failed(), 2)
	for _, e := range f.store.Failed() {
		require.Zero(t, e.Size)
		require.True(t, e.Unfinished, "retry sends no empty file by itself")
		require.Contains(t, e.Reason, "another program removed its 393216 bytes")
	}
}

// TestQueuedContentWhoseDirectoryIsAway checks that content is kept in the queue while its directory is missing: it may
// be on a disk that comes back.
func TestQueuedContentWhoseDirectoryIsAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.options.Paused = true
	f.reopen()
	_, err := f.create(Root, "large", manyBytes)
	require.NoError(t, err)
	away := filepath.Join(f.dirs.State, "away")
	require.NoError(t, os.Rename(f.store.spools.Path, away))
	f.service.goAway(unreachable)
	f.store.Start()
	f.eventually(func() bool { q := f.store.Queue(); return len(q) == 1 && q[0].Attempts > 2 })
	for range 300 { // it comes back at any step of an attempt
		require.NoError(t, os.Rename(away, f.store.spools.Path))
		require.NoError(t, os.Rename(f.store.spools.Path, away))
	}
	require.NoError(t, os.Rename(away, f.store.spools.Path))
	f.service.goAway(nil)
	f.drain()
	f.published("large", manyBytes)
	require.Empty(t, f.store.Failed())
}

// TestTheQueueSaysThatItsDirectoryIsAway checks that the queue names the content that is missing with its directory, that
// nobody waits for that content alone, and that it is sent once the directory is back.
func TestTheQueueSaysThatItsDirectoryIsAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.options.Paused = true
	f.reopen()
	_, err := f.create(Root, "large", manyBytes)
	require.NoError(t, err)
	_, err = f.create(f.mkdir(Root, "d"), "small", "small")
	require.NoError(t, err)
	away := filepath.Join(f.dirs.State, "away")
	require.NoError(t, os.Rename(f.store.spools.Path, away))
	f.store.Start()
	short, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	require.NoError(t, f.store.Drain(short))
	queue := f.store.Queue()
	require.Len(t, queue, 2, "the directory is there")
	for _, q := range queue {
		require.True(t, strings.HasPrefix(q.LastError, ContentAway+f.store.spools.Path), q.LastError)
	}
	require.NoError(t, os.Rename(away, f.store.spools.Path))
	f.drain()
	f.published("large", manyBytes)
	f.published("d/small", "small")
	require.Empty(t, f.store.Failed())
}

// TestContentThatIsOpenWhileItsSpoolIsRemoved removes the spools of two open files, one written and one queued, and checks
// that the mount sends both after their last close.
func TestContentThatIsOpenWhileItsSpoolIsRemoved(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.service.goAway(unreachable)
	_, written, err := f.store.Create(Root, "written", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(t, err)
	f.writeAll(written, manyBytes)
	queued, err := f.create(Root, "queued", manyBytes)
	require.NoError(t, err)
	reader, err := f.store.Open(queued.Ino, false)
	require.NoError(t, err)
	f.removeSpools()
	require.NoError(t, written.Flush(ctx))
	written.Release()
	reader.Release()
	f.eventually(func() bool { return f.store.Status().Writing == 0 })
	f.service.goAway(nil)
	f.drain()
	f.published("written", manyBytes)
	f.published("queued", manyBytes)
	require.Empty(t, f.store.Failed())
}

// TestAFileThatIsClosedWhileTheSpoolIsMissing checks that its content is in failed/ once it has a place there, with the
// reason in words, and that later closes are not refused.
func TestAFileThatIsClosedWhileTheSpoolIsMissing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	_, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(t, err)
	f.writeAll(h, manyBytes)
	failed := filepath.Join(f.dirs.State, "failed")
	require.NoError(t, os.RemoveAll(f.store.spools.Path))
	require.NoError(t, os.RemoveAll(failed))
	require.ErrorContains(t, h.Flush(ctx), "state directory")
	h.Release()
	require.NoError(t, os.Mkdir(failed, 0o700))
	require.NoError(t, os.Mkdir(f.store.spools.Path, 0o700))
	f.drain()
	require.Len(t, f.store.Failed(), 1)
	e := f.store.Failed()[0]
	require.Contains(t, e.Reason, "was removed from the state directory")
	require.EqualValues(t, len(manyBytes), e.Size)
	_, err = f.create(Root, "b", manyBytes)
	require.NoError(t, err, "a missing directory says nothing about the disk")
	f.drain()
	f.published("b", manyBytes)
}

// TestOlderContentMendsNoFailureOfNewer checks that a queued version which is published after a newer one has failed is
// not called its mend, and that the next version is.
func TestOlderContentMendsNoFailureOfNewer(t *testing.T) {
	t.Parallel()
	var mended atomic.Int32
	f := newFixture(t, writingBack, func(o *Options) { o.Mended = func(string, string) { mended.Add(1) } })
	f.service.goAway(unreachable)
	a, err := f.create(Root, "a", "older")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.writeAll(h, manyBytes)
	require.NoError(t, os.RemoveAll(f.store.spools.Path))
	require.Error(t, h.Flush(ctx))
	h.Release()
	require.NoError(t, os.Mkdir(f.store.spools.Path, 0o700))
	f.store.RetryNow()
	f.eventually(func() bool { return len(f.store.Failed()) == 1 })
	f.service.goAway(nil)
	f.drain()
	f.published("a", "older")
	require.Zero(t, mended.Load())
	require.NoError(t, f.overwrite(f.lookup(Root, "a").Ino, "newest"))
	f.drain()
	f.published("a", "newest")
	require.EqualValues(t, 1, mended.Load())
}
