package filestore

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
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

func TestContents(t *testing.T) {
	storetest.RunContents(t, func(t *testing.T) storetest.Contents {
		s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
		return storetest.Contents{Contents: s, Drop: func(key string) { require.NoError(t, s.Remove(key)) }, Unknown: uuid.NewString()}
	})
}

// TestNoFileIsLeft checks that a restarted draft and removed content leave no file.
func TestNoFileIsLeft(t *testing.T) {
	s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
	d := testrun.Must(s.Create(t.Context()))(t)
	testrun.Must(d.Write(storetest.Bytes(1, 300_000)))(t)
	require.NoError(t, d.Restart())
	testrun.Must(d.Write([]byte("content")))(t)
	key := testrun.Must(d.Commit())(t)
	require.Len(t, files(t, s), 1)
	require.NoError(t, s.Remove(key))
	_, err := s.File(key)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.NoError(t, s.Remove(key))
	require.Empty(t, files(t, s))
}

func TestKeysAreNoPaths(t *testing.T) {
	s := testrun.Must(Open(t.TempDir()))(t)
	for _, key := range []string{"", "..", "../../etc/passwd", "/etc/passwd", "incoming"} {
		_, err := s.File(key)
		require.ErrorIs(t, err, store.ErrNotFound)
		require.NoError(t, s.Remove(key))
	}
}

func TestReserve(t *testing.T) {
	s := testrun.Must(Open(t.TempDir()))(t)
	require.Positive(t, s.Reserve)
	s.Reserve = math.MaxInt64
	d := testrun.Must(s.Create(t.Context()))(t)
	_, err := d.Write(make([]byte, 2*writeSize))
	require.ErrorIs(t, err, store.ErrNoSpace)
	d.Discard()
	d = testrun.Must(s.Create(t.Context()))(t)
	testrun.Must(d.Write([]byte("fits the buffer")))(t)
	_, err = d.Commit()
	require.ErrorIs(t, err, store.ErrNoSpace)
	require.Empty(t, files(t, s))
}
