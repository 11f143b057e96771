package apitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/testrun"
)

// TestAStartNamesEachDamagedFile checks that a start names each damaged file and the remedy, and
// changes nothing.
func TestAStartNamesEachDamagedFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, database, content string)
		words string
	}{
		"a database that is a directory": {func(t *testing.T, database, _ string) {
			require.NoError(t, os.Remove(database))
			require.NoError(t, os.MkdirAll(filepath.Join(database, "below"), 0o700))
		}, "DATABASE is a directory, where the database has to be a file"},
		"a database that is an empty directory": {func(t *testing.T, database, _ string) {
			require.NoError(t, os.Remove(database))
			require.NoError(t, os.Mkdir(database, 0o700))
		}, "DATABASE is a directory, where the database has to be a file"},
		"content that is a file": {func(t *testing.T, _, content string) {
			require.NoError(t, os.RemoveAll(content))
			require.NoError(t, os.WriteFile(content, []byte("text"), 0o600))
		}, "CONTENT is a file, where content has to be a directory"},
		"a database whose first page is damaged": {func(t *testing.T, database, _ string) {
			overwrite(t, database, 100, 3000)
		}, "DATABASE is damaged"},
		"a database that is damaged below its first page": {func(t *testing.T, database, _ string) {
			info := testrun.Must(os.Stat(database))(t)
			overwrite(t, database, 4096, int(info.Size())-4096)
		}, "DATABASE is damaged"},
		"a database that is cut off": {func(t *testing.T, database, _ string) {
			require.NoError(t, os.Truncate(database, 4096))
		}, "DATABASE is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := inFiles(t)
			s.upload("0", "file", large)
			s.close()
			database, content := filepath.Join(s.data, "service.db"), filepath.Join(s.data, "content")
			c.spoil(t, database, content)
			words := regexp.MustCompile("DATABASE|CONTENT").ReplaceAllStringFunc(c.words, func(which string) string {
				return map[string]string{"DATABASE": database, "CONTENT": content}[which]
			})
			isRefused(t, s.data, words)
		})
	}
}

// TestACheckOfADamagedDatabase damages pages in the middle of the database, which a start does not
// read.
func TestACheckOfADamagedDatabase(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	for i := range 50 {
		s.upload("0", fmt.Sprintf("small%d", i), strings.Repeat("small ", 400))
	}
	s.close()
	database := filepath.Join(s.data, "service.db")
	info := testrun.Must(os.Stat(database))(t)
	overwrite(t, database, info.Size()-3*4096, 4096)
	before := testrun.Must(os.ReadFile(database))(t)

	_, err := s.admin().Check(t.Context(), admin.CheckOptions{})
	require.ErrorContains(t, err, database+" is damaged")
	require.ErrorAs(t, err, new(*datadir.ForeignDataError))
	require.Equal(t, before, testrun.Must(os.ReadFile(database))(t))
}

// overwrite replaces bytes of a file with garbage.
func overwrite(t testing.TB, file string, at int64, size int) {
	t.Helper()
	f := testrun.Must(os.OpenFile(file, os.O_RDWR, 0))(t)
	garbage := make([]byte, size)
	for i := range garbage {
		garbage[i] = 0xa5
	}
	testrun.Must(f.WriteAt(garbage, at))(t)
	require.NoError(t, f.Close())
}

// TestContentThatLostItsID checks that, if only content's file id is missing, the refusal says how
// to continue.
func TestContentThatLostItsID(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "kept", large)
	s.close()
	content := filepath.Join(s.data, "content")
	require.NoError(t, os.Remove(filepath.Join(content, "id")))
	isRefused(t, s.data, filepath.Join(content, "id")+" is missing")
	_, err := service.Open(s.options)
	way := regexp.MustCompile(`make a file (\S+) with the line (\S+),`).FindStringSubmatch(err.Error())
	require.Len(t, way, 3, err)
	require.NoError(t, os.WriteFile(way[1], []byte(way[2]+"\n"), 0o600))
	s.open()
	require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	s.sound()
}
