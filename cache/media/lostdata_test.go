package media

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

var errReplaced = errors.New("the data was replaced")

// TestDataThatIsReplacedUnderAQueue has new data at the service that uses the same ids for
// other things. Queued content is sent to its path, or moves to failed/.
func TestDataThatIsReplacedUnderAQueue(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.AllowDelete = true })
	dir := f.mkdir(Root, "logos")
	a, err := f.create(dir, "a", "one")
	require.NoError(t, err)
	_, err = f.create(dir, "kept", "kept")
	require.NoError(t, err)
	f.drain()
	f.service.goAway(unreachable)
	require.NoError(t, f.overwrite(a.Ino, "two"))
	_, err = f.create(dir, "b", "new")
	require.NoError(t, err)
	pdf := func(paper int64, path string, to Queuing) {
		d := f.store.NewDraft(paper, 0, path)
		_, err := d.WriteAt([]byte("%PDF of "+path), 0)
		require.NoError(t, err)
		to.Check = func(remote.Content) error { return nil }
		require.NoError(t, d.Queue(to))
	}
	pdf(42, "/papers/C/X.paper/source.pdf", Queuing{})
	pdf(0, "/papers/C/Y.pdf", Queuing{Dir: 7, New: true})
	old := f.service
	f.close()

	f.service = newFakeService()
	for id, d := range old.dirs {
		d.Name = "other"
		f.service.dirs[id] = d
	}
	for id, file := range old.files {
		f.service.files[id] = &fakeFile{parent: file.parent, name: file.name + " of others", data: []byte("theirs")}
	}
	f.service.next = old.next
	theirs := f.service.all()
	f.options.Service, f.options.Paused = f.service, true
	f.open()
	require.Zero(t, f.service.count("UploadFile"))
	kept, missed, err := f.store.CopyCacheToFailed("lost", nil)
	require.NoError(t, err)
	require.Equal(t, []int{1, 0}, []int{kept, missed})
	for range 2 { // a kill may come in between
		require.NoError(t, f.store.ForgetData(errReplaced))
		f.reopen()
	}
	require.Empty(t, f.store.QueuedPDFs())
	require.NoError(t, f.store.Refresh(ctx))
	f.store.Start()
	f.drain()
	theirs["logos/a"], theirs["logos/b"] = "two", "new"
	require.Equal(t, theirs, f.service.all())
	reasons := map[string]string{}
	for _, e := range f.store.Failed() {
		require.Zero(t, e.Paper)
		reasons[e.Path] = e.Reason
	}
	require.Equal(t, map[string]string{"logos/kept": "lost", "/papers/C/X.paper/source.pdf": errReplaced.Error(), "/papers/C/Y.pdf": errReplaced.Error()}, reasons)
}
