package apitest

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// large is content that gets its own file.
var large = strings.Repeat("content ", store.SmallContent/8+1)

// contentFiles returns the files under content/ by path.
func (s *server) contentFiles() map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(s.data, "content"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		}
		return err
	})
	require.NoError(s.t, err)
	return all
}

// age makes all content old enough for the cleanup of a start.
func (s *server) age() {
	then := time.Now().Add(-48 * time.Hour)
	for path := range s.contentFiles() {
		require.NoError(s.t, os.Chtimes(path, then, then))
	}
}

func (s *server) database() string { return filepath.Join(s.data, "service.db") }

// TestContentNewerThanItsDatabaseIsKept checks that the service does not delete the newest
// content if its database was restored and does not know that content.
func TestContentNewerThanItsDatabaseIsKept(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := inFiles(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.upload("0", "old", large)
	s.close()
	database := testrun.Must(os.ReadFile(s.database()))(t)
	s.open()
	s.upload("0", "new", large+"new")
	s.close()
	require.NoError(t, os.WriteFile(s.database(), database, 0o600))
	s.open()
	require.Equal(t, 2, s.contents(), "younger than a day")
	s.close()
	s.age()
	s.open()
	require.Equal(t, 1, s.contents())
	require.Contains(t, log.String(), `"moved to trash"=1`)
	require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	trash := testrun.Must(filepath.Glob(filepath.Join(s.data, "trash", "*", "*")))(t)
	require.Len(t, trash, 1)
	require.Equal(t, large+"new", string(testrun.Must(os.ReadFile(trash[0]))(t)))
}

func TestTrashIsKeptForDays(t *testing.T) {
	t.Parallel()
	s := inFiles(t, func(o *service.Options) { o.TrashDays = 3 })
	put := func(daysAgo int) string {
		dir := filepath.Join(s.data, "trash", time.Now().UTC().AddDate(0, 0, -daysAgo).Format(time.DateOnly))
		require.NoError(t, os.MkdirAll(dir, 0o700))
		file := filepath.Join(dir, "ab000000-0000-4000-8000-000000000000")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		return file
	}
	kept, gone := put(2), put(6)
	s.reopen()
	require.FileExists(t, kept)
	require.NoFileExists(t, gone)
}

// onAnotherDisk moves content/ to another file system and leaves a symbolic link.
func (s *server) onAnotherDisk() {
	s.t.Helper()
	disk := temporary.OtherDisk(s.t, s.data)
	content := filepath.Join(s.data, "content")
	require.NoError(s.t, os.CopyFS(filepath.Join(disk, "content"), os.DirFS(content)))
	require.NoError(s.t, os.RemoveAll(content))
	require.NoError(s.t, os.Symlink(filepath.Join(disk, "content"), content))
}

// TestContentOnAnotherDisk checks that content moves to the trash, which is on the file system of
// the records, and back.
func TestContentOnAnotherDisk(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.close()
	s.onAnotherDisk()
	s.open()
	s.upload("0", "kept", large)
	trashed := func(key string) []string {
		return testrun.Must(filepath.Glob(filepath.Join(s.data, "trash", "*", key)))(t)
	}
	kept := s.holdingIn("content/")

	acme := s.tenantNamed("acme")
	acme.upload("0", "file", large+"acme")
	require.NoError(t, s.admin().RemoveTenant("acme"))
	require.Len(t, trashed("*"), 1)
	require.Equal(t, kept, s.holdingIn("content/"))

	orphan := filepath.Join(s.data, "content", "ab", someKey)
	hold(t, filepath.Join(s.data, "content"), "", true)
	require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1)
	require.Len(t, trashed(someKey), 1)
	require.NoFileExists(t, orphan)

	hold(t, filepath.Join(s.data, "content"), "", true)
	require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
	s.reopen()
	require.NoFileExists(t, orphan)

	day := filepath.Dir(trashed(someKey)[0])
	require.NoError(t, os.WriteFile(filepath.Join(day, filepath.Base(kept[0])), []byte(large), 0o600))
	require.NoError(t, os.Remove(kept[0]))
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1)
	require.Equal(t, kept, s.holdingIn("content/"))
	require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	restored(t, dir).sound()
}

// holdingIn returns the paths of all content below a directory of the data.
func (s *server) holdingIn(dir string) []string {
	s.t.Helper()
	return testrun.Must(filepath.Glob(filepath.Join(s.data, dir, "??", "*")))(s.t)
}
