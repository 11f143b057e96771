package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// work creates .work with files, a directory, and names that are always scratch.
func work(f *fixture) (dir Ino) {
	f.absent(Root, "nothing")
	dir = f.mkdir(Root, ".work")
	in := f.mkdir(dir, "in")
	for name, content := range map[string]string{"a": "one", "empty": "", ".hidden": "mine"} {
		_, err := f.create(dir, name, content)
		require.NoError(f.t, err)
	}
	_, err := f.create(in, "b", "two")
	require.NoError(f.t, err)
	_, err = f.store.Symlink(dir, ".link", "a", New{})
	require.NoError(f.t, err)
	return dir
}

var workAtService = map[string]string{"work/a": "one", "work/in/b": "two", "work/empty": ""}

func TestADirectoryLeavesScratch(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"at once": nil, "queued": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			dir := work(f)
			require.NoError(t, f.rename(Root, ".work", Root, "work"))
			f.drain()
			require.Equal(t, workAtService, f.service.all())
			require.Equal(t, 2, f.service.count("CreateDirectory"))
			require.Equal(t, 3, f.service.count("UploadFile"))
			f.absent(Root, ".work")
			for range 2 {
				require.Equal(t, dir, f.lookup(Root, "work").Ino)
				require.Equal(t, Published, f.lookup(dir, "a").Where)
				require.Equal(t, Local, f.lookup(dir, ".hidden").Where)
				require.Equal(t, Local, f.lookup(dir, ".link").Where)
				f.reopen()
			}
			require.NoError(t, f.store.Refresh(ctx))
			require.Equal(t, dir, f.lookup(Root, "work").Ino)
			require.EqualValues(t, len("mine"), f.store.Status().SpoolBytes)
			require.Empty(t, f.store.Failed())
		})
	}
}

func TestADirectoryStaysScratchWithWhatTheServiceCannotHave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(f *fixture, dir Ino) error
		kind Kind
	}{
		"a symbolic link": {func(f *fixture, dir Ino) error { _, err := f.store.Symlink(dir, "l", "a", New{}); return err }, LocalOnly},
		"a hard link": {func(f *fixture, dir Ino) error {
			_, err := f.store.Link(f.lookup(dir, "a").Ino, dir, "h", "")
			return err
		}, Unsupported},
		"a bad name": {func(f *fixture, dir Ino) error { _, err := f.create(dir, " x", ""); return err }, Invalid},
		"two cases":  {func(f *fixture, dir Ino) error { _, err := f.create(dir, "A", ""); return err }, Exists},
		"something deep": {func(f *fixture, dir Ino) error {
			_, err := f.store.Symlink(f.lookup(dir, "in").Ino, "l", "a", New{})
			return err
		}, LocalOnly},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			dir := work(f)
			require.NoError(t, c.make(f, dir))
			err := f.rename(Root, ".work", Root, "work")
			require.True(t, Is(err, c.kind), "%v", err)
			require.ErrorContains(t, err, "/", "the error names the file")
			require.Equal(t, f.service.count("GetTree"), f.service.total())
			require.Equal(t, Local, f.lookup(dir, "a").Where)
			f.absent(Root, "work")
		})
	}
}

func TestADirectoryThatTheServiceRefusesStaysScratch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dir := work(f)
	f.service.fail("CreateDirectory", refused("CreateDirectory"))
	require.Error(t, f.rename(Root, ".work", Root, "work"))
	require.Equal(t, Local, f.lookup(dir, "a").Where)
	f.absent(Root, "work")
	require.NoError(t, f.rename(Root, ".work", Root, "work"), "the rename can be retried")
	f.drain()
	require.Equal(t, workAtService, f.service.all())
}

// TestADirectoryHalfPublished checks that refused content is in failed/, and that the rest is
// published or, if the service is unreachable, waits.
func TestADirectoryHalfPublished(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.Transfers = 1 })
	work(f)
	f.service.fail("UploadFile", refused("UploadFile"))
	require.NoError(t, f.rename(Root, ".work", Root, "work"))
	f.drain()
	require.Len(t, f.service.all(), 2)
	failed := f.store.Failed()
	require.Len(t, failed, 1)
	require.Len(t, f.reports, 1)
	require.NoError(t, f.store.RetryFailed(ctx, failed[0].Name, f.lookup(Root, "work").Ino, failed[0].Name, false))
	require.Equal(t, workAtService, f.service.all())
}

func TestADirectoryLeavesScratchBeforeTheServiceGoesAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	work(f)
	open := f.service.hold("UploadFile")
	require.NoError(t, f.rename(Root, ".work", Root, "work"))
	<-f.service.entered
	f.service.goAway(unreachable)
	open()
	f.reopen()
	require.Empty(t, f.service.all())
	f.service.goAway(nil)
	f.drain()
	require.Equal(t, workAtService, f.service.all())
	require.Empty(t, f.store.Failed())
}

func TestADirectoryLeavesScratchWithAnOpenFile(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"at once": nil, "queued": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			dir := work(f)
			h, err := f.store.Open(f.lookup(dir, "a").Ino, true)
			require.NoError(t, err)
			_, err = h.Append([]byte(" half"))
			require.NoError(t, err)
			require.NoError(t, f.rename(Root, ".work", Root, "work"))
			f.eventually(func() bool { return len(f.service.all()) == 2 })
			_, err = h.Append([]byte(", whole"))
			require.NoError(t, err)
			require.NoError(t, h.Flush(ctx))
			h.Release()
			f.drain()
			f.published("work/a", "one half, whole")
			require.Equal(t, 3, f.service.count("UploadFile"))
		})
	}
}

func TestAQueuedDirectoryBecomesScratch(t *testing.T) {
	t.Parallel()
	f := away(t)
	require.NoError(t, f.rename(Root, "d", Root, ".d"))
	f.reopen()
	f.service.goAway(nil)
	f.drain()
	require.Equal(t, map[string]string{"b": "two"}, f.service.all())
	dir := f.lookup(Root, ".d").Ino
	require.Equal(t, Local, f.lookup(dir, "a").Where)
	require.NoError(t, f.rename(Root, ".d", Root, "e"))
	f.drain()
	require.Equal(t, map[string]string{"b": "two", "e/a": "one"}, f.service.all())
}

// TestADirectoryThatBecameScratchIsNotGivenUp refuses a queued directory after it has become
// scratch.
func TestADirectoryThatBecameScratchIsNotGivenUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.service.goAway(unreachable)
	dir := f.mkdir(Root, "dir")
	require.NoError(t, f.rename(Root, "dir", Root, ".dir"))
	f.store.Mu.RLock()
	n := f.store.Nodes[dir]
	f.store.Mu.RUnlock()
	require.NoError(t, f.store.FailDir(n, errNo))
	a, err := f.store.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, ".dir", a.Path)
}
