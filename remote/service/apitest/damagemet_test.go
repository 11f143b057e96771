package apitest

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
