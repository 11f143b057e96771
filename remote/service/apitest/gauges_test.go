package apitest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAPDFOfAnotherServiceDoesNotCountAsWaiting checks that a PDF that another service processes is not
// counted as waiting.
func TestAPDFOfAnotherServiceDoesNotCountAsWaiting(t *testing.T) {
	t.Parallel()
	allInFiles(t) // the test opens the records as SQLite
	s := start(t, func(o *service.Options) { o.PDFJobs = -1 })
	records := testrun.Must(sqlitestore.OpenExisting(t.Context(), filepath.Join(s.data, datadir.DatabaseFile)))(t)
	defer records.Close()
	require.NoError(t, records.Write(t.Context(), 1, func(tx store.Writer) error {
		for _, name := range []string{"a", "b"} {
			paper := testrun.Must(tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: name, URLName: name}))(t)
			require.NoError(t, tx.AddWork(store.Work{Job: store.Job{GUID: name, Tenant: 1, Paper: paper}, Options: "{}"}))
		}
		return nil
	}))
	const waiting = `paperfs_service_pdf_jobs{state="waiting"}`
	require.EqualValues(t, 2, s.metric(waiting))
	testrun.Must(records.Claim(t.Context(), "another", time.Hour))(t)
	require.EqualValues(t, 1, s.metric(waiting))
	require.Zero(t, s.metric(`paperfs_service_pdf_jobs{state="running"}`), "this service runs no job")
}
