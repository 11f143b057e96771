package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/upload"
	"paperfs/remote"
)

// restored restores the service to the state before it assigned an id: later files do not
// exist, and the service assigns their ids again.
func (f *fixture) restored(before int64) {
	f.service.mu.Lock()
	defer f.service.mu.Unlock()
	f.service.next = before
	for id := range f.service.files {
		if id > before {
			delete(f.service.files, id)
		}
	}
	for id := range f.service.dirs {
		if id > before {
			delete(f.service.dirs, id)
		}
	}
}

// TestAnUploadToARestoredServiceGetsAnIDThatWasKnown checks that such an id is not reported as
// a clash of names.
func TestAnUploadToARestoredServiceGetsAnIDThatWasKnown(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "x")
			before := f.service.next
			old, err := f.create(Root, "x", "one")
			require.NoError(t, err)
			f.drain()
			f.restored(before)
			_, err = f.create(Root, "y", "two")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"y": "two"}, f.service.all())
			f.published("y", "two")
			require.NotEqual(t, old.Ino, f.lookup(Root, "y").Ino)
			f.absent(Root, "x")
			require.Empty(t, f.store.Failed())
		})
	}
}

// TestADirectoryOfARestoredServiceGetsAnIDThatWasKnown checks that the directory is not taken
// for the one known by that id.
func TestADirectoryOfARestoredServiceGetsAnIDThatWasKnown(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "x")
			before := f.service.next
			old := f.mkdir(Root, "x")
			f.drain()
			f.restored(before)
			made := f.mkdir(Root, "y")
			require.NotEqual(t, old, made)
			_, err := f.create(made, "a", "one")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"y/a": "one"}, f.service.all())
			require.NoError(t, f.store.Refresh(ctx))
			f.absent(Root, "x")
			require.Equal(t, made, f.lookup(Root, "y").Ino)
		})
	}
}

// TestAnUploadToADirectoryThatARestoredServiceLacks checks that the upload creates the
// directory again.
func TestAnUploadToADirectoryThatARestoredServiceLacks(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "d")
			before := f.service.next
			d := f.mkdir(Root, "d")
			e := f.mkdir(d, "e")
			f.drain()
			f.restored(before)
			f.pass(upload.MinCheckInterval)
			_, err := f.create(e, "a", "one")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"d/e/a": "one"}, f.service.all())
			require.Empty(t, f.store.Failed())
			require.Equal(t, e, f.lookup(d, "e").Ino)
		})
	}
}

// TestARefusalAsksForTheTreeNowAndThen checks that not every refusal causes a GetTree.
func TestARefusalAsksForTheTreeNowAndThen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "d")
	d := f.mkdir(Root, "d")
	f.pass(upload.MinCheckInterval)
	asked := f.service.count("GetTree")
	for range 3 {
		f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Refused, Code: remote.Failure})
		_, err := f.create(d, "a", "one")
		require.Error(t, err)
	}
	require.Equal(t, 2, f.service.count("GetTree")-asked) // one before the first upload, and one after a refusal
	require.Less(t, upload.MinCheckInterval, time.Minute)
}

// deleteDir deletes a directory of the fake, unknown to the mount.
func (f *fixture) deleteDir(name string) {
	f.service.tell(func(s *fakeService) {
		for id, d := range s.dirs {
			if d.Name == name {
				delete(s.dirs, id)
			}
		}
	})
}

// TestUploadsToADirectoryThatAColleagueHasJustDeleted checks that the uploads share one
// GetTree, although another one has just been answered.
func TestUploadsToADirectoryThatAColleagueHasJustDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "d")
	d := f.mkdir(Root, "d")
	require.NoError(t, f.store.Refresh(ctx))
	f.deleteDir("d")
	asked := f.service.count("GetTree")
	open := f.service.hold("GetTree")
	ended := make(chan error, 4)
	for _, name := range []string{"a", "b", "c", "e"} {
		_, h, err := f.store.Create(d, name, New{Mode: 0o644, UID: 7, GID: 8})
		require.NoError(t, err)
		go func() { ended <- f.finish(h, name) }()
	}
	f.eventually(func() bool { return f.service.count("UploadFile") == 4 })
	open()
	for range 4 {
		require.NoError(t, <-ended)
	}
	require.Equal(t, map[string]string{"d/a": "a", "d/b": "b", "d/c": "c", "d/e": "e"}, f.service.all())
	require.Equal(t, 1, f.service.count("GetTree")-asked)
	require.Equal(t, 2, f.service.count("CreateDirectory"))
	require.Empty(t, f.store.Failed())
}

// TestARefusalDoesNotTrustAnAnswerFromBefore checks a refusal during a GetTree whose answer
// still has the directory that a colleague has just deleted.
func TestARefusalDoesNotTrustAnAnswerFromBefore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "d")
	d := f.mkdir(Root, "d")
	asked := f.service.count("GetTree")
	open := f.service.hold("GetTree")
	refreshed := make(chan error)
	go func() { refreshed <- f.store.Refresh(ctx) }()
	require.Equal(t, "GetTree", <-f.service.entered)
	f.deleteDir("d")
	_, h, err := f.store.Create(d, "a", New{Mode: 0o644, UID: 7, GID: 8})
	require.NoError(t, err)
	ended := make(chan error)
	go func() { ended <- f.finish(h, "one") }()
	f.eventually(func() bool { return f.service.count("UploadFile") == 1 })
	open()
	require.NoError(t, <-refreshed)
	require.NoError(t, <-ended)
	require.Equal(t, map[string]string{"d/a": "one"}, f.service.all())
	require.Equal(t, 2, f.service.count("GetTree")-asked)
}
