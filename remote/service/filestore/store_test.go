package filestore

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

func files(t *testing.T, s *Store) (found []string) {
	require.NoError(t, filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func TestContent(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "content"))
	require.NoError(t, err)
	content := bytes.Repeat([]byte("0123456789"), 300_000)
	d, err := s.Create()
	require.NoError(t, err)
	_, err = d.Write([]byte("void"))
	require.NoError(t, err)
	_, err = d.Write(content)
	require.NoError(t, err)
	require.NoError(t, d.Restart())
	_, err = d.Write(content)
	require.NoError(t, err)
	key, err := d.Commit()
	require.NoError(t, err)
	d.Discard()

	r, err := s.Open(key)
	require.NoError(t, err)
	require.NoError(t, s.Remove(key))
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.True(t, bytes.Equal(content, got), "readable while it is removed")
	_, err = s.Open(key)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.NoError(t, s.Remove(key))
	require.Empty(t, files(t, s))
}

func TestKeysAreNoPaths(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	for _, key := range []string{"", "..", "../../etc/passwd", "/etc/passwd", "incoming"} {
		_, err := s.Open(key)
		require.ErrorIs(t, err, store.ErrNotFound)
		require.NoError(t, s.Remove(key))
	}
}

func TestReserve(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, s.Reserve)
	s.Reserve = math.MaxInt64
	d, err := s.Create()
	require.NoError(t, err)
	_, err = d.Write(make([]byte, 2*writeSize))
	require.ErrorIs(t, err, store.ErrNoSpace)
	d.Discard()
	d, err = s.Create()
	require.NoError(t, err)
	_, err = d.Write([]byte("fits the buffer"))
	require.NoError(t, err)
	_, err = d.Commit()
	require.ErrorIs(t, err, store.ErrNoSpace)
	require.Empty(t, files(t, s))
}
