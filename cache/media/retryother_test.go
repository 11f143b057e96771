package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnotherFileWithTheNameOfADeletedOne checks that content for a file that a colleague deleted
// counts as replaced once the colleague uploads another file with its name.
func TestAnotherFileWithTheNameOfADeletedOne(t *testing.T) {
	f := newFixture(t)
	a, err := f.create(Root, "a", "old")
	require.NoError(t, err)
	require.NoError(t, f.store.Refresh(ctx))
	writer, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.service.mu.Lock()
	clear(f.service.files)
	f.service.mu.Unlock()
	require.NoError(t, f.store.Refresh(ctx))
	f.writeAll(writer, "new")
	require.Error(t, writer.Flush(ctx))
	writer.Release()
	require.False(t, f.store.Failed()[0].Replaced)
	_, err = f.create(Root, "a", "another")
	require.NoError(t, err)
	require.True(t, f.store.Failed()[0].Replaced)
}
