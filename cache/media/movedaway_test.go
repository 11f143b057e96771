package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAFileThatOthersMoveOntoAnOpenOne refreshes the tree after others have moved a file to the name of a file that
// is open and was never published, and have deleted the directory that it came from.
func TestAFileThatOthersMoveOntoAnOpenOne(t *testing.T) {
	f := newFixture(t)
	dir := f.mkdir(Root, "d")
	_, err := f.create(dir, "f", "one")
	require.NoError(t, err)
	_, h, err := f.store.Create(Root, "u", New{Mode: 0o644})
	require.NoError(t, err)
	f.service.tell(func(s *fakeService) {
		for _, file := range s.files {
			file.parent, file.name = 0, "u"
		}
		clear(s.dirs)
	})
	require.NoError(t, f.store.Refresh(ctx))
	f.absent(Root, "d")
	err = f.finish(h, "two")
	require.Error(t, err, "others have the name")
	require.Equal(t, map[string]string{"u": "one"}, f.service.all())
}

// TestADirectoryThatOthersMoveOntoAQueuedOne refreshes the tree after others have moved a directory to the name of one that is
// still to be made, while both have queued files: they become one.
func TestADirectoryThatOthersMoveOntoAQueuedOne(t *testing.T) {
	f := newFixture(t, writingBack)
	dir := f.mkdir(Root, "d")
	_, err := f.create(dir, "f", "one")
	require.NoError(t, err)
	require.NoError(t, f.store.Drain(ctx))
	ino := f.lookup(dir, "f").Ino
	f.service.goAway(unreachable)
	require.NoError(t, f.overwrite(ino, "two"))
	_, err = f.create(f.mkdir(Root, "x"), "g", "three")
	require.NoError(t, err)
	f.service.goAway(nil)
	f.service.tell(func(s *fakeService) {
		for id, d := range s.dirs {
			d.Name = "x"
			s.dirs[id] = d
		}
	})
	require.NoError(t, f.store.Refresh(ctx))
	f.store.RetryNow()
	require.NoError(t, f.store.Drain(ctx))
	require.Equal(t, map[string]string{"x/f": "two", "x/g": "three"}, f.service.all())
	require.Empty(t, f.store.Failed())
	f.absent(Root, "d")
}
