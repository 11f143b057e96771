package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// fixture is a store on a fake service. Tests can reopen it.
type fixture struct {
	t       require.TestingT
	dirs    state.Dirs
	service *fakeService
	options Options
	around  func(journal.State) journal.State // wraps the state for the store; nil: no wrapper

	state  *state.State
	store  *Store
	papers *fakePapers // sends PDFs; nil: nothing does

	mu      sync.Mutex
	now     time.Time
	changes []Changed
	reports []error
}

func newFixture(t *testing.T, options ...func(*Options)) *fixture {
	f := makeFixture(t, t.TempDir(), options...)
	t.Cleanup(func() {
		f.close()
		if what := outside.Swap(nil); what != nil {
			t.Error(*what)
		}
	})
	return f
}

func makeFixture(t require.TestingT, dir string, options ...func(*Options)) *fixture {
	f := &fixture{
		t: t, service: newFakeService(), now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC),
		dirs: state.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")},
	}
	f.options = Options{Service: f.service, Reserve: -1, Linger: -1, Debounce: -1, Now: f.clock, Report: f.report,
		Log: slog.New(unlockedLog{slog.DiscardHandler})}
	for _, o := range options {
		o(&f.options)
	}
	f.open()
	return f
}

func (f *fixture) open() {
	statetest.Prepare(f.t, f.dirs)
	var err error
	f.state, err = state.Open(f.dirs, "/mnt")
	require.NoError(f.t, err)
	f.options.State = f.state
	if f.around != nil {
		f.options.State = f.around(f.state)
	}
	f.store, err = Open(f.options)
	require.NoError(f.t, err)
	f.store.Subscribe(func(c Changed) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changes = append(f.changes, c)
	})
	if f.papers != nil {
		f.sendTo(f.papers)
	}
}

func (f *fixture) close() {
	require.Zero(f.t, tree.NoDir)
	require.Zero(f.t, tree.NoExtra) // nodes must own what they write to
	require.NoError(f.t, f.store.Close())
	f.sound(errors.Join(f.store.check(), f.store.checkDisk(), checkClosed(f.state.DB(), f.dirs.State)))
	require.NoError(f.t, f.state.Close())
}

func (f *fixture) sound(err error) {
	if err != nil {
		f.t.Errorf("the store is inconsistent: %v", err)
	}
}

func (f *fixture) reopen() {
	f.close()
	f.open()
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(time.Millisecond)
	return f.now
}

func (f *fixture) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

func (f *fixture) report(_, _ string, _ int64, err error) {
	unlocked("report")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reports = append(f.reports, err)
}

// eventually waits for background work.
func (f *fixture) eventually(ok func() bool) {
	require.Eventually(f.t, ok, testrun.Patience(), time.Millisecond, "%v", f)
}

// String says what the store still has to do, for a test that fails.
func (f *fixture) String() string {
	return fmt.Sprintf("writing: %d, queued: %v, failed: %v", f.store.Status().Writing, f.store.Queue(), f.store.Failed())
}

var ctx = context.Background()

// create creates a file with content and closes it once.
func (f *fixture) create(dir Ino, name, content string) (Attr, error) {
	a, h, err := f.store.Create(dir, name, New{Mode: 0o644, UID: 7, GID: 8})
	require.NoError(f.t, err)
	return a, f.finish(h, content)
}

// finish writes content and closes as the kernel does.
func (f *fixture) finish(h *Handle, content string) error {
	f.writeAll(h, content)
	err := h.Flush(ctx)
	h.Release()
	return err
}

func (f *fixture) writeAll(h *Handle, content string) {
	if content == "" {
		return
	}
	n, err := h.WriteAt([]byte(content), 0)
	require.NoError(f.t, err)
	require.Equal(f.t, len(content), n)
}

// appendAll is writeAll at the end of the file.
func (f *fixture) appendAll(h *Handle, content string) {
	n, err := h.Append([]byte(content))
	require.NoError(f.t, err)
	require.Equal(f.t, len(content), n)
}

// overwrite does what a shell's redirection to an existing file does.
func (f *fixture) overwrite(ino Ino, content string) error {
	h, err := f.store.Open(ino, true)
	require.NoError(f.t, err)
	require.NoError(f.t, h.Truncate(0))
	return f.finish(h, content)
}

// read reads a file, unless its name shows another by now.
func (f *fixture) read(ino Ino) (string, error) {
	h, err := f.store.Open(ino, false)
	if err != nil {
		return "", err
	}
	defer h.Release()
	if err := load(f.store, h); err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.NewSectionReader(readerAt{h}, 0, 1<<40))
	return string(b), err
}

// load makes all of the content available in a local file.
func load(s *Store, h *Handle) error { return s.Fetch(ctx, nodeOf(s, h)) }

func nodeOf(s *Store, h *Handle) *tree.Node {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.Nodes[h.Ino()]
}

// readerAt is a handle as an io.ReaderAt.
type readerAt struct{ *Handle }

func (a readerAt) ReadAt(p []byte, off int64) (int, error) { return a.Handle.ReadAt(ctx, p, off) }

func (f *fixture) lookup(dir Ino, name string) Attr {
	a, err := f.store.Lookup(ctx, dir, name)
	require.NoError(f.t, err)
	return a
}

func (f *fixture) absent(dir Ino, name string) {
	_, err := f.store.Lookup(ctx, dir, name)
	require.True(f.t, Is(err, NotFound), "%s: %v", name, err)
}

func (f *fixture) mkdir(dir Ino, name string) Ino {
	a, err := f.store.Mkdir(ctx, dir, name, New{Mode: 0o755, UID: Owner, GID: Owner})
	require.NoError(f.t, err)
	return a.Ino
}

func (f *fixture) rename(from Ino, name string, to Ino, newName string) error {
	return f.store.Rename(ctx, from, name, to, newName, false, "")
}

func (f *fixture) published(path, content string) {
	data, there := f.service.at(path)
	require.True(f.t, there, "%s is not at the service", path)
	require.Equal(f.t, content, string(data), path)
}

var errNo = &remote.Error{Op: "UploadFile", Kind: remote.Refused, Code: remote.Failure, Message: "no room"}
