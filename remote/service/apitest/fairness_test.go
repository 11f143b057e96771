package apitest

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestTwoLongPDFsHoldUpNoThirdTenant checks that a PDF which has the place of another one gives it away
// again between two pages: with one place the long PDFs of two tenants wait for the short one of a third.
func TestTwoLongPDFsHoldUpNoThirdTenant(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.PDFJobs, o.Log = -1, slog.New(slog.NewTextHandler(&log, nil)) })
	long := func() []byte { return pdftest.Text(strings.Split(strings.Repeat("page ", 12), " ")...) }
	acme, last := s.tenantNamed("acme"), s.tenantNamed("last")
	short := last.paper(last.root(), "short")
	one, two := s.paper(s.root(), "one"), acme.paper(acme.root(), "two")
	first, second := s.queue(one, long(), ""), acme.queue(two, long(), "")
	third := last.queue(short, pdftest.Text("short"), "")
	s.options.PDFJobs = 1 // all of them are queued before the first begins
	s.reopen()
	for guid, of := range map[string]*server{third: last, second: acme, first: s} {
		of.http = s.http
		of.completes(guid)
	}
	var at []int
	require.Eventually(t, func() bool { // a job has ended before the log says so
		at = nil
		for _, guid := range []string{third, second, first} {
			at = append(at, strings.Index(log.String(), "job="+guid))
		}
		return !slices.Contains(at, -1)
	}, testrun.Patience(), time.Millisecond, "the log has no end of a PDF")
	require.True(t, slices.IsSorted(at), "the PDFs ended in another order: %v", at)
	require.Len(t, texts(s.pages(one)), 13)
	require.Len(t, texts(acme.pages(two)), 13)
	require.Equal(t, "short", texts(last.pages(short))[0])
}

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
