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
