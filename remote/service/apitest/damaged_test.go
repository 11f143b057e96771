package apitest

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// TestADamagedDatabaseTakesNoMoreChanges damages an index that nothing reads at a start but the check. It ends all changes
// before the first: they would be lost when the database is restored.
func TestADamagedDatabaseTakesNoMoreChanges(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	root := s.root()
	s.paper(root, "before")
	s.upload("0", "a", "before")
	require.Equal(t, http.StatusOK, s.readiness())
	require.Zero(t, s.metric("paperfs_service_damaged"))
	s.close()
	database := filepath.Join(s.data, "service.db")
	overwrite(t, database, (rootPage(t, database, "node_order")-1)*4096, 4096)
	s.open()

	require.Equal(t, http.StatusServiceUnavailable, s.readiness())
	require.EqualValues(t, 1, s.metric("paperfs_service_damaged"))
	require.Zero(t, s.metric("paperfs_service_ready"))
	r := s.fails(remote.ReadOnly, remote.UploadFile, "parentID", "0", "name", "b", "base64File", "YQ==")
	require.Contains(t, r.words, "The service's database is damaged")
	require.Contains(t, s.must(remote.GetTree).data, `name="a"`, "what can be read is served")
	r = s.fails(remote.Failure, remote.GetAllPapers, "paperID", root)
	require.Equal(t, "The service's database is damaged or missing: its operator has to restore it.", r.words)
}

// readiness returns the status of /readyz.
func (s *server) readiness() int {
	w := httptest.NewRecorder()
	s.service.Operator().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	return w.Code
}

// rootPage returns the number of the first page of a table or index.
func rootPage(t testing.TB, database, name string) (page int64) {
	t.Helper()
	db := testrun.Must(sql.Open("sqlite", database))(t)
	defer db.Close()
	require.NoError(t, db.QueryRow(`SELECT rootpage FROM sqlite_master WHERE name = ?`, name).Scan(&page))
	return page
}
