package media

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// midway returns a store that is uploading the file a from its queue, and a function that lets
// the upload continue.
func midway(t *testing.T, options ...func(*Options)) (*fixture, func()) {
	f := newFixture(t, append(options, writingBack)...)
	f.absent(Root, "a")
	open := f.service.hold("UploadFile")
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	<-f.service.entered
	return f, open
}

// TestAChangeOfTheNameCutsTheUpload checks that removing or renaming a file does not wait
// while the queue uploads it.
func TestAChangeOfTheNameCutsTheUpload(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(f *fixture) error
		want   map[string]string
	}{
		"removed": {func(f *fixture) error { return f.store.Unlink(ctx, Root, "a") }, map[string]string{}},
		"renamed": {func(f *fixture) error { return f.rename(Root, "a", Root, "b") }, map[string]string{"b": "one"}},
		"hidden":  {func(f *fixture) error { return f.rename(Root, "a", Root, ".a") }, map[string]string{}},
		"replaced": {func(f *fixture) error {
			if _, err := f.create(Root, ".b", "two"); err != nil {
				return err
			}
			return f.rename(Root, ".b", Root, "a")
		}, map[string]string{"a": "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, open := midway(t)
			require.NoError(t, c.change(f), "while the upload hangs")
			open()
			f.drain()
			require.Equal(t, c.want, f.service.all())
			require.Empty(t, f.store.Failed())
			require.Empty(t, f.reports)
		})
	}
}

// TestAnUploadThatIsWholeIsNotCut checks that, when an upload lacks only the answer, removing
// or renaming its file waits for the answer and then treats the file as published.
func TestAnUploadThatIsWholeIsNotCut(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fixture) error{
		"removed": func(f *fixture) error { return f.store.Unlink(ctx, Root, "a") },
		"renamed": func(f *fixture) error { return f.rename(Root, "a", Root, "b") },
	} {
		for _, mayDelete := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f := newFixture(t, writingBack, func(o *Options) { o.AllowDelete = mayDelete })
				f.service.moves = mayDelete
				f.absent(Root, "a")
				open := f.service.hold("its reply")
				_, err := f.create(Root, "a", "one")
				require.NoError(t, err)
				<-f.service.entered
				outcome := make(chan error)
				go func() { outcome <- change(f) }()
				f.eventually(func() bool {
					return f.cut("a") // waiting for the answer
				})
				open()
				err = <-outcome
				f.drain()
				switch {
				case !mayDelete:
					require.True(t, Is(err, Forbidden) || Is(err, Unsupported), "%v", err)
					require.Equal(t, map[string]string{"a": "one"}, f.service.all())
				case name == "removed":
					require.NoError(t, err)
					require.Empty(t, f.service.all())
				default:
					require.NoError(t, err)
					require.Equal(t, map[string]string{"b": "one"}, f.service.all())
				}
				require.Empty(t, f.store.Failed())
				require.Empty(t, f.reports)
			})
		}
	}
}

// TestACutUploadThatHadItsEffect checks that a change reads the tree if an attempt before the
// cancelled upload was complete but its answer was lost.
func TestACutUploadThatHadItsEffect(t *testing.T) {
	t.Parallel()
	var f *fixture
	var open func()
	f = newFixture(t, writingBack, func(o *Options) {
		o.Pause = func(int, error) time.Duration {
			if open == nil {
				open = f.service.hold("UploadFile") // the next attempt
			}
			return time.Millisecond
		}
	})
	f.absent(Root, "a")
	f.service.tell(func(s *fakeService) { s.late = true })
	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Stalled, Ambiguous: true})
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	<-f.service.entered
	require.True(t, Is(f.store.Unlink(ctx, Root, "a"), Forbidden))
	open()
	f.drain()
	f.published("a", "one")
	require.Equal(t, Published, f.lookup(Root, "a").Where)
}

// TestNoUploadBeginsBeforeAChangeOfTheName checks that no upload starts while the change waits
// for the lock of the name.
func TestNoUploadBeginsBeforeAChangeOfTheName(t *testing.T) {
	t.Parallel()
	f, open := midway(t, func(o *Options) { o.Transfers = 1 })
	open = sync.OnceFunc(open)
	defer open()
	a, err := f.create(Root, "b", "two")
	require.NoError(t, err)
	f.store.Mu.RLock()
	b := f.store.Nodes[a.Ino]
	f.store.Mu.RUnlock()
	unlock := sync.OnceFunc(f.store.LockNode(b))
	defer unlock()
	removed := make(chan error, 1)
	go func() { removed <- f.store.Unlink(ctx, Root, "b") }()
	f.eventually(func() bool { return f.cut("b") })
	open()
	f.eventually(func() bool { return len(f.store.Queue()) == 1 })
	unlock()
	require.NoError(t, <-removed)
	f.drain()
	require.Equal(t, map[string]string{"a": "one"}, f.service.all())
	require.Equal(t, 1, f.service.count("UploadFile"))
}

// TestARefusedRemovalDoesNotStopTheUpload checks that a refused removal does not affect the upload.
func TestARefusedRemovalDoesNotStopTheUpload(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.drain()
	open := f.service.hold("UploadFile")
	require.NoError(t, f.overwrite(a.Ino, "two"))
	<-f.service.entered
	require.True(t, Is(f.store.Unlink(ctx, Root, "a"), Forbidden), "the refusal must not wait")
	open()
	f.drain()
	f.published("a", "two")
	require.Equal(t, 2, f.service.count("UploadFile"))
}
