package filestore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

const keepTrash = 30 * 24 * time.Hour

// content creates content of the given age.
func content(t *testing.T, s *Store, age time.Duration) (key string) {
	d := testrun.Must(s.Create(t.Context()))(t)
	testrun.Must(d.Write([]byte("content")))(t)
	key = testrun.Must(d.Commit())(t)
	path := testrun.Must(s.path(key))(t)
	then := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, then, then))
	return key
}

func among(kept []string) func(prefix string) ([]string, error) {
	return func(prefix string) (used []string, err error) {
		for _, key := range kept {
			if strings.HasPrefix(key, prefix) {
				used = append(used, key)
			}
		}
		return used, nil
	}
}

func TestSweepMovesWhatIsNotUsed(t *testing.T) {
	s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
	var kept, young, orphans []string
	for range 20 {
		kept = append(kept, content(t, s, 48*time.Hour))
		young = append(young, content(t, s, 23*time.Hour))
		orphans = append(orphans, content(t, s, 25*time.Hour))
	}
	foreign := []string{
		filepath.Join(s.dir, "ab", "notes.txt"), filepath.Join(s.incoming(), "notes.txt"), filepath.Join(s.dir, "notes.txt"),
		filepath.Join(s.dir, "other", uuid.NewString()),
	}
	for _, path := range foreign {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)))
	}
	draft := filepath.Join(s.incoming(), uuid.NewString()) // left by a crash
	require.NoError(t, os.WriteFile(draft, nil, 0o600))

	swept := testrun.Must(s.Sweep(among(kept), keepTrash))(t)
	require.Equal(t, Swept{Moved: 20}, swept)
	require.NoFileExists(t, draft)
	for _, path := range foreign {
		require.FileExists(t, path)
	}
	for _, key := range slices.Concat(kept, young) {
		require.NoError(t, testrun.Must(s.File(key))(t).Close())
	}
	for _, key := range orphans {
		_, err := s.File(key)
		require.ErrorIs(t, err, store.ErrNotFound)
		found := testrun.Must(filepath.Glob(filepath.Join(s.trash(), "*", key)))(t)
		require.Len(t, found, 1)
		require.Equal(t, "content", string(testrun.Must(os.ReadFile(found[0]))(t)))
	}
	swept = testrun.Must(s.Sweep(among(kept), keepTrash))(t)
	require.Zero(t, swept, "content in the trash stays there")
}

func TestTrashIsEmptiedByDay(t *testing.T) {
	s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
	day := func(ago int) string {
		return filepath.Join(s.trash(), time.Now().UTC().AddDate(0, 0, -ago).Format(trashDay))
	}
	for _, dir := range []string{day(29), day(33), filepath.Join(s.trash(), "mine")} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, uuid.NewString()), nil, 0o600))
	}
	require.Equal(t, Swept{Removed: 1}, testrun.Must(s.Sweep(among(nil), keepTrash))(t))
	require.DirExists(t, day(29))
	require.NoDirExists(t, day(33))
	require.DirExists(t, filepath.Join(s.trash(), "mine"), "files that the store did not create must stay")
}

func TestSweepContinuesAfterContentThatWasRemoved(t *testing.T) {
	s := testrun.Must(Open(filepath.Join(t.TempDir(), "content")))(t)
	const prefix = "ab"
	dir := filepath.Join(s.dir, prefix)
	require.NoError(t, os.MkdirAll(dir, 0o700))
	removed, orphan := prefix+uuid.Nil.String()[2:], prefix+uuid.Max.String()[2:]
	for _, key := range []string{removed, orphan} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, key), nil, 0o600))
	}
	entries := testrun.Must(os.ReadDir(dir))(t)
	require.NoError(t, os.Remove(filepath.Join(dir, removed)))
	require.Equal(t, 1, testrun.Must(s.moveEntries(prefix, entries, nil, time.Now().Add(sweepAge+time.Minute)))(t))
	require.NoFileExists(t, filepath.Join(dir, orphan))
}
