package filestore

import (
	"bytes"
	"context"
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
	d, err := s.Create(t.Context())
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

	r, err := s.File(key)
	require.NoError(t, err)
	require.NoError(t, s.Remove(key))
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.True(t, bytes.Equal(content, got), "readable while it is removed")
	_, err = s.File(key)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.NoError(t, s.Remove(key))
	require.Empty(t, files(t, s))
}

// TestAPartOfContent is read to its end, also when the content goes before that.
func TestAPartOfContent(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	d, err := s.Create(t.Context())
	require.NoError(t, err)
	_, err = d.Write([]byte("0123456789"))
	require.NoError(t, err)
	key, err := d.Commit()
	require.NoError(t, err)
	open := func(offset, length int64) io.ReadSeekCloser {
		r, err := s.Open(t.Context(), key, offset, length)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, r.Close()) })
		return r
	}
	whole, middle, none := open(0, 10), open(3, 4), open(10, 0)
	_, err = s.Open(t.Context(), key, 3, 8)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "there is less than its record says")
	require.NoError(t, s.Remove(key))
	for r, want := range map[io.ReadSeeker]string{whole: "0123456789", middle: "3456", none: ""} {
		end, err := r.Seek(0, io.SeekEnd)
		require.NoError(t, err)
		require.EqualValues(t, len(want), end)
		_, err = r.Seek(0, io.SeekStart)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	_, err = s.Open(t.Context(), key, 0, 10)
	require.ErrorIs(t, err, store.ErrNotFound)
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err = s.Open(given, key, 0, 10)
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Create(given)
	require.ErrorIs(t, err, context.Canceled)
}

func TestKeysAreNoPaths(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	for _, key := range []string{"", "..", "../../etc/passwd", "/etc/passwd", "incoming"} {
		_, err := s.File(key)
		require.ErrorIs(t, err, store.ErrNotFound)
		require.NoError(t, s.Remove(key))
	}
}

func TestReserve(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, s.Reserve)
	s.Reserve = math.MaxInt64
	d, err := s.Create(t.Context())
	require.NoError(t, err)
	_, err = d.Write(make([]byte, 2*writeSize))
	require.ErrorIs(t, err, store.ErrNoSpace)
	d.Discard()
	d, err = s.Create(t.Context())
	require.NoError(t, err)
	_, err = d.Write([]byte("fits the buffer"))
	require.NoError(t, err)
	_, err = d.Commit()
	require.ErrorIs(t, err, store.ErrNoSpace)
	require.Empty(t, files(t, s))
}
