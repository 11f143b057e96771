package media

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/body"
	"paperfs/cache/state"
)

var manyBytes = string(bytes.Repeat([]byte("large "), body.SmallCopy))

// lossFixture returns a fixture that does not end like others, because its state is removed.
func lossFixture(t *testing.T, options ...func(*Options)) *fixture {
	f := makeFixture(t, t.TempDir(), options...)
	t.Cleanup(func() {
		_ = f.store.Close()
		require.NoError(t, f.state.Close())
	})
	return f
}

// requireLost checks that err is the failure of a lost state.
func requireLost(t *testing.T, err error) {
	t.Helper()
	var lost *state.LostError
	require.ErrorAs(t, err, &lost)
}

// paused mounts again without sending anything until Start.
func (f *fixture) paused() {
	f.options.Paused = true
	f.reopen()
	f.options.Paused = false
}

// next ends the mount, rescues what it holds, and mounts again.
func (f *fixture) next() (kept, gone int) {
	f.t.(*testing.T).Helper()
	lost := f.store
	_ = lost.Close()
	require.NoError(f.t, f.state.Close())
	st, err := state.Open(f.dirs, "/mnt")
	require.NoError(f.t, err)
	kept, gone, err = lost.Rescue(st, errors.New("its state was lost"))
	require.NoError(f.t, err)
	require.NoError(f.t, st.Close())
	f.open()
	return kept, gone
}

// contents returns what is in failed/, by path.
func (f *fixture) contents() map[string]string {
	all := map[string]string{}
	for _, e := range f.store.Failed() {
		content, err := os.ReadFile(f.store.Failures.File(e.ID))
		require.NoError(f.t, err)
		all[e.Path+e.Suffix] = strings.ReplaceAll(string(content), manyBytes, "MANY")
	}
	return all
}

// TestAStateThatIsRemovedUnderAMount removes parts of the state while programs have files open, some of them queued, and the
// service is away. No change succeeds from then on, nothing is sent, what is published can be read, and what descriptors or the
// next mount still have is not lost.
func TestAStateThatIsRemovedUnderAMount(t *testing.T) {
	t.Parallel()
	for part, c := range map[string]struct {
		sent, failed map[string]string
	}{
		"spool":        {map[string]string{"small": "small"}, map[string]string{"open": "MANY", "queued": "MANY"}},
		"":             {nil, map[string]string{"open": "MANY", "queued": "MANY", "small": "small"}},
		"state.db":     {nil, map[string]string{"open": "MANY", "queued": "MANY", "small": "small"}},
		"failed":       {map[string]string{"small": "small", "queued": manyBytes}, map[string]string{"open": "MANY"}},
		"lock":         {map[string]string{"small": "small", "queued": manyBytes}, map[string]string{"open": "MANY"}},
		"state.db-wal": {map[string]string{"small": "small", "queued": manyBytes}, map[string]string{"open": "MANY"}},
	} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			f := lossFixture(t, writingBack)
			published, err := f.create(Root, "published", "published")
			require.NoError(t, err)
			f.drain()
			f.paused()
			_, err = f.create(Root, "small", "small")
			require.NoError(t, err)
			queued, err := f.create(Root, "queued", manyBytes)
			require.NoError(t, err)
			reader, err := f.store.Open(queued.Ino, false)
			require.NoError(t, err)
			_, h, err := f.store.Create(Root, "open", New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
			f.writeAll(h, manyBytes)

			require.NoError(t, os.RemoveAll(filepath.Join(f.dirs.State, part)))
			requireLost(t, h.Flush(ctx))
			h.Release()
			reader.Release()
			_, err = h.WriteAt([]byte("more"), 0)
			requireLost(t, err)
			_, _, err = f.store.Create(Root, "new", New{Mode: 0o644})
			requireLost(t, err)
			_, err = f.store.Mkdir(ctx, Root, "d", New{})
			requireLost(t, err)
			_, err = f.store.SetAttr(Root, Change{Mode: new(uint32(0o700))})
			requireLost(t, err)
			requireLost(t, f.store.Unlink(ctx, Root, "small"))
			requireLost(t, f.rename(Root, "small", Root, "other"))
			content, err := f.read(published.Ino)
			require.NoError(t, err)
			require.Equal(t, "published", content)
			f.store.Start()
			before := f.sent()
			requireLost(t, f.store.Drain(ctx))
			require.Equal(t, before, f.sent())

			kept, gone := f.next()
			require.Zero(t, gone)
			if part == "" || part == "spool" {
				require.Equal(t, len(c.failed), kept)
			}
			f.drain()
			require.Equal(t, c.failed, f.contents())
			for name, content := range c.sent {
				f.published(name, content)
			}
			for name := range c.failed {
				require.NotContains(t, f.service.all(), name)
			}
		})
	}
}

// TestAQueuedSpoolThatIsRemoved checks that the mount stops as soon as it misses the file of one content, and that the next mount
// says what is lost.
func TestAQueuedSpoolThatIsRemoved(t *testing.T) {
	t.Parallel()
	f := lossFixture(t, writingBack)
	f.paused()
	a, err := f.create(Root, "a", manyBytes)
	require.NoError(t, err)
	_, err = f.create(Root, "b", manyBytes)
	require.NoError(t, err)
	require.NoError(t, os.Remove(f.store.Nodes[a.Ino].Body().Pending.Path))
	f.store.Start()
	f.eventually(f.store.Lost)
	kept, gone := f.next()
	require.Equal(t, []int{0, 1}, []int{kept, gone})
	f.drain()
	f.published("b", manyBytes)
	f.absent(Root, "a")
	require.Len(t, f.store.Failed(), 1)
	require.Contains(t, f.store.Failed()[0].Reason, "0 of its 393216 bytes were found")
}

// TestARewrittenFileOfALostState checks that both contents are kept: what is queued, and what a program has written since.
func TestARewrittenFileOfALostState(t *testing.T) {
	t.Parallel()
	f := lossFixture(t, writingBack)
	f.service.goAway(unreachable)
	a, err := f.create(Root, "a", manyBytes)
	require.NoError(t, err)
	reader, err := f.store.Open(a.Ino, false)
	require.NoError(t, err)
	defer reader.Release()
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	_, err = h.WriteAt([]byte("NEWER"), 0)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(f.dirs.State))
	requireLost(t, h.Flush(ctx))
	h.Release()
	f.next()
	require.Equal(t, map[string]string{"a": "NEWER" + manyBytes[5:], "a (older)": "MANY"}, f.contents())
}

// TestPDFsOfALostState checks that PDFs keep their papers.
func TestPDFsOfALostState(t *testing.T) {
	t.Parallel()
	papers := newFakePapers()
	f := lossFixture(t, writingBack, papers.known)
	f.sendTo(papers)
	papers.goAway(unreachable)
	h := f.pdf()
	f.writeAll(h, "%PDF of one")
	require.NoError(t, h.Flush(ctx))
	f.writeAll(h, "%PDF of two")
	require.NoError(t, os.RemoveAll(f.dirs.State))
	requireLost(t, h.Flush(ctx))
	papers.goAway(nil)
	h.Release()
	f.next()
	require.Equal(t, map[string]string{pdfPath: "%PDF of two", pdfPath + " (older)": "%PDF of one"}, f.contents())
	require.EqualValues(t, 7, f.store.Failed()[0].Paper)
	require.EqualValues(t, 7, f.store.Failed()[1].Paper)
	require.Empty(t, papers.arrived())
}

// TestADiskThatFails checks that a mount whose disk gives EIO to a sync ends like one whose state is removed.
func TestADiskThatFails(t *testing.T) {
	var armed atomic.Bool
	syncing(t, func(file *os.File, sync func(*os.File) error) error {
		if armed.Load() {
			return &os.PathError{Op: "sync", Path: file.Name(), Err: syscall.EIO}
		}
		return sync(file)
	})
	f := lossFixture(t, writingBack)
	f.service.goAway(unreachable)
	_, err := f.create(Root, "before", manyBytes)
	require.NoError(t, err)
	armed.Store(true)
	_, err = f.create(Root, "a", manyBytes)
	requireLost(t, err)
	require.ErrorContains(t, err, "input/output error")
	_, _, err = f.store.Create(Root, "b", New{})
	requireLost(t, err)
	f.service.goAway(nil)
	requireLost(t, f.store.Drain(ctx))
	armed.Store(false)
	f.next()
	f.drain()
	f.published("before", manyBytes)
	require.Equal(t, map[string]string{"a": "MANY"}, f.contents())
}

// TestOtherDataUnderAQueue has other data at the service that uses the same ids for other things. What was not sent is in failed/ of
// the new state, belongs to nothing there, and is gone from the old one, which keeps its local files.
func TestOtherDataUnderAQueue(t *testing.T) {
	t.Parallel()
	old, papers := withPapers(t, writingBack)
	f := newFixture(t, writingBack)
	a, err := old.create(Root, "a", "one")
	require.NoError(t, err)
	_, err = old.create(Root, ".scratch", "local")
	require.NoError(t, err)
	old.drain()
	old.service.goAway(unreachable)
	require.NoError(t, old.overwrite(a.Ino, "two"))
	_, err = old.create(old.mkdir(Root, "logos"), "b", "new")
	require.NoError(t, err)
	papers.goAway(unreachable)
	require.NoError(t, old.put("%PDF"))
	old.options.Paused = true
	old.reopen()
	old.service.goAway(nil)
	for _, n := range []int{3, 0} {
		moved, err := old.store.MoveUnsent(f.store, errors.New("other data"))
		require.NoError(t, err)
		require.Equal(t, n, moved)
		old.reopen()
		f.reopen()
		require.Empty(t, old.store.Failed())
		require.Empty(t, old.store.Queue())
		content, err := old.read(old.lookup(Root, ".scratch").Ino)
		require.NoError(t, err)
		require.Equal(t, "local", content)
		require.Equal(t, map[string]string{"a": "two", "logos/b": "new", pdfPath: "%PDF"}, f.contents())
		for _, e := range f.store.Failed() {
			require.Zero(t, e.Paper)
			require.Equal(t, "other data", e.Reason)
		}
	}
}
