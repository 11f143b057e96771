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
