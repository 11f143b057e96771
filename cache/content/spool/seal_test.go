package spool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASealedSpoolIsNotWritten checks that no descriptor of a spool that may have another name can write to it, in this
// run or the next, and that the next run does not empty it either when it was removed.
func TestASealedSpoolIsNotWritten(t *testing.T) {
	t.Parallel()
	s := newDir(t.TempDir(), 0)
	sp, err := s.Create()
	require.NoError(t, err)
	_, err = s.WriteAt(sp, []byte("content"), 0)
	require.NoError(t, err)
	require.Nil(t, sp.Content().File())
	sp.Seal()
	require.NotNil(t, sp.Content().File())
	refuses := func(sp *File) {
		t.Helper()
		require.NoError(t, sp.Open())
		require.True(t, sp.Sealed())
		_, err = sp.F.WriteAt([]byte("late"), 0)
		require.Error(t, err)
		require.Error(t, sp.F.Truncate(0))
		sp.Close()
	}
	refuses(sp)
	refuses(sp)

	service := filepath.Join(t.TempDir(), "content")
	require.NoError(t, os.Link(sp.Path, service))
	found, _, err := s.Found(sp.Path)
	require.NoError(t, err)
	refuses(found)

	require.True(t, found.Disown())
	_, err = s.Leftovers()
	require.NoError(t, err)
	content, err := os.ReadFile(service)
	require.NoError(t, err)
	require.Equal(t, "content", string(content))
	left, err := os.Stat(found.Path)
	require.NoError(t, err)
	require.Zero(t, left.Size())

	require.NoError(t, os.Remove(service))
	alone, err := s.Create()
	require.NoError(t, err)
	alone.Close()
	require.NoError(t, alone.Open())
	require.False(t, alone.Sealed())
	_, err = s.WriteAt(alone, []byte("more"), 0)
	require.NoError(t, err)
}
