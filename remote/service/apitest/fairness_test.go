package apitest

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestALongPDFHoldsUpNoOtherTenant checks that a PDF with many pages leaves its place to
// the PDF of a tenant that has none under way, and goes on after it.
func TestALongPDFHoldsUpNoOtherTenant(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.PDFJobs, o.Log = 1, slog.New(slog.NewTextHandler(&log, nil)) })
	acme := s.tenantNamed("acme")
	short := acme.paper(acme.root(), "short")
	long := s.paper(s.root(), "long")
	first := s.queue(long, pdftest.Text(strings.Split(strings.Repeat("page ", 40), " ")...), "")
	second := acme.queue(short, pdftest.Text("short"), "")

	status, reason := acme.ended(second)
	require.Equal(t, remote.JobCompleted, status, reason)
	status, reason = s.ended(first)
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "job="+first) }, testrun.Patience(), time.Millisecond, "the log tells of a job after its status")
	require.Less(t, strings.Index(log.String(), "job="+second), strings.Index(log.String(), "job="+first), "the short PDF is processed first")
	require.Equal(t, "short", texts(acme.pages(short))[0])
	require.Len(t, texts(s.pages(long)), 41)
}
