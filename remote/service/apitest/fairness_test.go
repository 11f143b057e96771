package apitest

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
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
		status, reason := of.ended(guid)
		require.Equal(t, remote.JobCompleted, status, reason)
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
