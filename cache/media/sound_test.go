package media

import (
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/body"
	"paperfs/cache/state"
)

var errDisk = errors.New("the disk failed")

// brittle is a state whose syncs fail while it is broken.
type brittle struct {
	*state.State
	broken atomic.Bool
}

func (b *brittle) Sync() error {
	if b.broken.Load() {
		return errDisk
	}
	return b.State.Sync()
}

// brittleFixture returns a fixture on a brittle state. It ends with the test, even if its close
// fails.
func brittleFixture(t *testing.T, options ...func(*Options)) (*fixture, *brittle) {
	f := makeFixture(t, t.TempDir(), options...)
	require.NoError(t, f.store.Close())
	b := &brittle{State: f.state}
	f.options.State = b
	var err error
	f.store, err = Open(f.options)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = f.store.Close()
		require.NoError(t, f.state.Close())
	})
	f.absent(Root, "nothing") // the tree is known
	return f, b
}

// failOnce makes one sync of the state fail; later ones would succeed.
func (f *fixture) failOnce(b *brittle) {
	b.broken.Store(true)
	f.changeSomething()
	require.ErrorIs(f.t, f.store.Sync(), errDisk)
	b.broken.Store(false)
}

// changeSomething makes a change that needs a sync.
func (f *fixture) changeSomething() {
	mode := uint32(0o700)
	_, err := f.store.SetAttr(Root, Change{Mode: &mode})
	require.NoError(f.t, err)
}

// TestAfterAFailedSyncOfTheStateNothingIsPromised checks that, once a sync has failed, every
// later wait for the disk fails, although later syncs would succeed.
func TestAfterAFailedSyncOfTheStateNothingIsPromised(t *testing.T) {
	for name, c := range map[string]struct {
		options []func(*Options)
		prepare func(*fixture) (gesture func() error)
	}{
		"the close of a queued file": {[]func(*Options){writingBack}, func(f *fixture) func() error {
			return func() error { _, err := f.create(Root, "a", "one"); return err }
		}},
		"an fsync":                  {nil, fsyncOfANewFile},
		"an fsync of a queued file": {[]func(*Options){writingBack}, fsyncOfANewFile},
		"an fsync of a directory": {nil, func(f *fixture) func() error {
			return func() error { f.changeSomething(); return f.store.Sync() }
		}},
		"a mkdir": {nil, func(f *fixture) func() error { return f.mkdirFails }},
		"a queued mkdir": {[]func(*Options){writingBack}, func(f *fixture) func() error {
			return f.mkdirFails
		}},
		"an overwritten file": {nil, func(f *fixture) func() error {
			a, err := f.create(Root, "a", "one")
			require.NoError(f.t, err)
			return func() error { return f.overwrite(a.Ino, "two") }
		}},
		"a rename at the service": {[]func(*Options){moving}, func(f *fixture) func() error {
			_, err := f.create(Root, "a", "one")
			require.NoError(f.t, err)
			return func() error { return f.rename(Root, "a", Root, "b") }
		}},
		"a rename of a queued file": {[]func(*Options){writingBack}, func(f *fixture) func() error {
			f.queuedForNow("a")
			return func() error { return f.rename(Root, "a", Root, "b") }
		}},
		"a rename out of scratch": {[]func(*Options){writingBack}, func(f *fixture) func() error {
			_, err := f.create(Root, ".a.swp", "one")
			require.NoError(f.t, err)
			return func() error { return f.rename(Root, ".a.swp", Root, "a") }
		}},
		"a directory that leaves scratch": {nil, func(f *fixture) func() error {
			work(f)
			return func() error { return f.rename(Root, ".work", Root, "work") }
		}},
		"rm": {[]func(*Options){deleting}, func(f *fixture) func() error {
			_, err := f.create(Root, "a", "one")
			require.NoError(f.t, err)
			return func() error { return f.store.Unlink(ctx, Root, "a") }
		}},
		"rm of a queued file": {[]func(*Options){writingBack}, func(f *fixture) func() error {
			f.queuedForNow("a")
			return func() error { return f.store.Unlink(ctx, Root, "a") }
		}},
		"rmdir": {[]func(*Options){deleting}, func(f *fixture) func() error {
			f.mkdir(Root, "d")
			return func() error { return f.store.Rmdir(ctx, Root, "d") }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, disk := brittleFixture(t, c.options...)
			gesture := c.prepare(f)
			f.failOnce(disk)
			require.ErrorIs(t, gesture(), errDisk)

			f, disk = brittleFixture(t, c.options...)
			gesture = c.prepare(f)
			disk.broken.Store(true)
			require.ErrorIs(t, gesture(), errDisk, "the error comes from the change's own sync")
		})
	}
}

func fsyncOfANewFile(f *fixture) func() error {
	_, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(f.t, err)
	f.writeAll(h, "one")
	return func() error {
		defer h.Release()
		f.changeSomething() // the rows of the file may have been synced meanwhile
		return h.Fsync()
	}
}

func (f *fixture) mkdirFails() error {
	_, err := f.store.Mkdir(ctx, Root, "d", New{Mode: 0o755, UID: Owner, GID: Owner})
	return err
}

// queuedForNow creates a file that the service does not receive.
func (f *fixture) queuedForNow(name string) {
	f.service.goAway(unreachable)
	_, err := f.create(Root, name, "one")
	require.NoError(f.t, err)
}

// TestSentContentIsUnchangedUntilItsRemovalIsSynced checks that the spool of sent content
// stays unchanged until the removal from the queue is synced: after a power loss, the content
// would still be queued, and its spool would be sent.
func TestSentContentIsUnchangedUntilItsRemovalIsSynced(t *testing.T) {
	t.Parallel()
	f, disk := brittleFixture(t, writingBack)
	open := f.service.hold("UploadFile")
	a, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(t, err)
	reader, err := f.store.Open(a.Ino, false)
	require.NoError(t, err)
	defer reader.Release()
	queued := strings.Repeat("one", body.SmallCopy)
	require.NoError(t, f.finish(h, queued))
	path := f.store.Nodes[a.Ino].Body().Spool.Path
	<-f.service.entered
	f.failOnce(disk)
	open()
	f.eventually(func() bool { return len(f.store.Queue()) == 0 })
	f.published("a", queued)

	h, err = f.store.Open(a.Ino, true)
	require.NoError(t, err)
	defer h.Release()
	_, err = h.WriteAt([]byte("two"), 0)
	require.ErrorIs(t, err, errDisk)
	held, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, queued, string(held))
}

// TestASyncThatFailedIsNotTriedAgain checks that every fsync and close fails after a failed
// sync, because the kernel reports success for the next sync of a file, although it has
// dropped what it could not write.
func TestASyncThatFailedIsNotTriedAgain(t *testing.T) {
	for name, failing := range map[string]func(path string) bool{
		"of content":       func(path string) bool { return !strings.HasSuffix(path, "/spool") },
		"of its directory": func(path string) bool { return strings.HasSuffix(path, "/spool") },
	} {
		t.Run(name, func(t *testing.T) {
			var armed, failed atomic.Bool
			syncing(t, func(file *os.File, sync func(*os.File) error) error {
				if armed.Load() && failing(file.Name()) && failed.CompareAndSwap(false, true) {
					return errDisk
				}
				return sync(file)
			})
			f, _ := brittleFixture(t, writingBack)
			_, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
			f.writeAll(h, strings.Repeat("one", body.SmallCopy))
			armed.Store(true)
			require.ErrorIs(t, h.Fsync(), errDisk)
			require.True(t, failed.Load())
			require.ErrorIs(t, h.Fsync(), errDisk, "an fsync")
			require.ErrorIs(t, h.Flush(ctx), errDisk, "a close")
			h.Release()
			_, err = f.create(Root, "b", "small")
			require.ErrorIs(t, err, errDisk, "the close of another file")
		})
	}
}

// TestRefusedContentIsSyncedBeforeItLeavesTheQueue checks that refused content is synced before
// it leaves the queue. Until the sync, only the database may have it durably, with its place
// in the queue.
func TestRefusedContentIsSyncedBeforeItLeavesTheQueue(t *testing.T) {
	var store atomic.Pointer[Store]
	waiting := make(chan int, 100)
	syncing(t, func(file *os.File, sync func(*os.File) error) error {
		if s := store.Load(); s != nil {
			waiting <- len(s.Queue())
		}
		return sync(file)
	})
	f := newFixture(t, writingBack)
	store.Store(f.store)
	f.service.fail("UploadFile", errNo)
	_, err := f.create(Root, "a", "small")
	require.NoError(t, err)
	f.eventually(func() bool { return len(f.store.Failed()) == 1 })
	require.Equal(t, 1, <-waiting)
}
