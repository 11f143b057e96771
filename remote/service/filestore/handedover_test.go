package filestore

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// offered returns an open file, written two days ago, with content that is too large for a record.
func offered(t *testing.T, dir string) (*os.File, []byte) {
	content := bytes.Repeat([]byte("0123456789"), store.SmallContent)
	path := filepath.Join(dir, "offered")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	old := time.Now().Add(-2 * sweepAge)
	require.NoError(t, os.Chtimes(path, old, old))
	f := testrun.Must(os.Open(path))(t)
	t.Cleanup(func() { f.Close() })
	return f, content
}

// stored commits what a file has, and returns the content's file.
func stored(t *testing.T, s *Store, from *os.File, content []byte) (key string, info os.FileInfo) {
	d, taken := testrun.Must2(s.CreateFrom(t.Context(), from))(t)
	was := testrun.Must(from.Stat())(t)
	defer func() { require.Equal(t, os.SameFile(was, info), taken) }()
	_, err := d.Write([]byte("begun"))
	require.NoError(t, err)
	require.NoError(t, d.Restart())
	for _, part := range [][]byte{content[:len(content)/2], content[len(content)/2:]} {
		testrun.Must(d.Write(part))(t)
	}
	require.Nil(t, testrun.Must(d.Small())(t))
	key = testrun.Must(d.Commit())(t)
	d.Discard()
	f := testrun.Must(s.File(key))(t)
	defer f.Close()
	got := testrun.Must(os.ReadFile(f.Name()))(t)
	require.True(t, bytes.Equal(content, got))
	info = testrun.Must(f.Stat())(t)
	return key, info
}

// TestAFileIsHandedOver checks that the content is the file itself, under any name that it has by then, and that a sweep
// takes it for new.
func TestAFileIsHandedOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testrun.Must(Open(filepath.Join(dir, "content")))(t)
	from, content := offered(t, dir)
	require.NoError(t, os.Rename(from.Name(), from.Name()+".moved"))
	key, info := stored(t, s, from, content)
	was := testrun.Must(from.Stat())(t)
	require.True(t, os.SameFile(was, info))
	require.Zero(t, testrun.Must(s.Sweep(func(string) ([]string, error) { return nil, nil }, sweepAge))(t))
	require.NoError(t, s.Remove(key))
	got := testrun.Must(os.ReadFile(from.Name() + ".moved"))(t)
	require.True(t, bytes.Equal(content, got))
}

// TestAFileOnAnotherDiskIsCopied as content always was.
func TestAFileOnAnotherDiskIsCopied(t *testing.T) {
	t.Parallel()
	s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
	from, content := offered(t, temporary.OtherDisk(t, s.dir))
	_, info := stored(t, s, from, content)
	was := testrun.Must(from.Stat())(t)
	require.False(t, os.SameFile(was, info))
}

// TestAFileIsNotHandedOver whole where less of it was sent, where the upload is refused, and where the disk is full.
func TestAFileIsNotHandedOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testrun.Must(Open(filepath.Join(dir, "content")))(t)
	from, content := offered(t, dir)
	for _, end := range []func(store.Draft){
		func(d store.Draft) { _, err := d.Commit(); require.ErrorContains(t, err, "handed over") },
		func(d store.Draft) { d.Discard() },
	} {
		d, _ := testrun.Must2(s.CreateFrom(t.Context(), from))(t)
		testrun.Must(d.Write(content[1:]))(t)
		end(d)
		require.Empty(t, testrun.Must(os.ReadDir(s.incoming()))(t))
	}
	s.NoRoom = func() bool { return true }
	_, _, err := s.CreateFrom(t.Context(), from)
	require.ErrorIs(t, err, store.ErrNoSpace)
	require.False(t, testrun.Must(Holds(s.dir))(t))
	require.FileExists(t, from.Name())
}
