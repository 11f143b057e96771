package apitest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestTheQueueHasAQuota checks that a tenant whose queue is full cannot queue another PDF until
// some are finished, and that another tenant can.
func TestTheQueueHasAQuota(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) {
		o.PDFQueue = 2
		o.PDFWorker = []string{"/bin/sleep", "1000"} // so that no job ends
	})
	old := s.paper(s.root(), "old")
	for i := range 2 {
		s.queue(s.paper(s.root(), fmt.Sprint("p", i)), pdftest.Text("one"), "")
	}
	contents := s.contents()
	r := s.fails(remote.Failure, remote.ProcessPDF, "paperID", old, "xmlOptions", "", "base64Pdf", somePDF)
	require.Contains(t, r.words, "2 PDFs are queued or being processed, which is the limit")
	require.Equal(t, contents, s.contents(), "a refused PDF leaves nothing")

	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}, RootURL: "/"}))
	key := testrun.Must(administrator.AddAccount("acme", "APIKey", remote.Admin))(t)
	acme := s.as("APIKey", key).at("acme.example")
	acme.queue(acme.paper(acme.root(), "spring"), pdftest.Text("one"), "")

	s.options.PDFWorker = servicetest.PDFWorker()
	s.reopen()
	s.idle()
	s.queue(old, pdftest.Text("one"), "")
	s.idle()
	s.must(remote.ReprocessPaper, "paperID", old, "xmlOptions", "")
	s.idle()
}

// TestSettingsGiveNoProcessingsBack checks that a concurrent change of other settings does not undo
// the count of used processings.
func TestSettingsGiveNoProcessingsBack(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.PDFWorker = []string{"/bin/sleep", "1000"} })
	administrator := s.admin()
	change := func(f func(*admin.TenantSettings)) error {
		return administrator.ChangeTenant("default", func(settings *admin.TenantSettings) error {
			f(settings)
			return nil
		})
	}
	require.NoError(t, change(func(settings *admin.TenantSettings) { settings.Processings = new(int64(20)) }))
	for n := range 12 {
		paper := s.paper(s.root(), fmt.Sprint("p", n))
		var setting sync.WaitGroup
		setting.Go(func() {
			assert.NoError(t, change(func(settings *admin.TenantSettings) { settings.Quota.Papers = new(int64(100 + n)) }))
		})
		s.queue(paper, pdftest.Text("one"), "")
		setting.Wait()
	}
	require.EqualValues(t, 8, *testrun.Must(administrator.Tenant("default"))(t).Processings)
}
