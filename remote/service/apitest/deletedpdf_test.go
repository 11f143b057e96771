package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
	"paperfs/remote/testrun"
)

// TestAReplacedPDFComesBack processes a replaced PDF again, free of the licence.
func TestAReplacedPDFComesBack(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.admin().ChangeTenant("default", func(t *admin.TenantSettings) error { t.Processings = new(int64(2)); return nil }))
	paper := s.paper(s.root(), "spring")
	first, second := pdftest.Text("first"), pdftest.Text("second", "page")
	for _, pdf := range [][]byte{first, second} {
		status, reason := s.ended(s.queue(paper, pdf, pdfOptions("")))
		require.Equal(t, remote.JobCompleted, status, reason)
	}
	require.Equal(t, []string{"second", "page"}, texts(s.pages(paper)))
	all := s.deleted("path", "/papers/spring")
	require.Equal(t, []string{"replaced pdf /papers/spring"}, listedEntries(all))
	require.Equal(t, []string{s.user, paper}, []string{all[0].Account, all[0].ID})
	require.EqualValues(t, len(first), all[0].Bytes)
	require.Equal(t, string(first), s.call(remote.GetContent, "entryID", all[0].Entry).body)
	s.goodRecords()

	left := func() int64 {
		return *testrun.Must(s.admin().Tenant("default"))(t).Processings
	}
	require.Zero(t, left())
	r := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	require.Contains(t, []remote.Code{remote.AlreadyBeingProcessed, remote.Failure}, s.call(remote.Restore, "entryID", all[0].Entry).code) // Failure where the job has ended
	status, reason := s.ended(r.attribute(t, "job-guid"))
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	require.Zero(t, left())
	now := s.deleted()
	require.Equal(t, []string{"replaced pdf /papers/spring"}, listedEntries(now))
	require.EqualValues(t, len(second), now[0].Bytes, "that which it replaced")
	s.goodRecords()

	require.Empty(t, s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01").data, "it came by undo, which does not bring it back")

	s.must(remote.DeletePaper, "paperID", paper)
	require.Equal(t, remote.PaperDoesNotExist, s.call(remote.Restore, "entryID", now[0].Entry).code)
	require.Len(t, s.deleted(), 2)
	for _, e := range s.deleted() {
		s.must(remote.Purge, "entryID", e.Entry)
	}
	s.keeps(0)
	s.goodRecords()
}

// TestAFullDiskLeavesThePDFThatComesBack makes room while the job that brings back a PDF waits.
func TestAFullDiskLeavesThePDFThatComesBack(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	for _, text := range []string{"first", "second", "third"} {
		s.process(paper, pdftest.Text(text), "")
	}
	s.options.PDFJobs = -1
	s.reopen()
	job := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01").attribute(t, "job-guid")
	require.True(t, s.purgeAll())
	require.Empty(t, s.deleted())
	s.options.PDFJobs = 1
	s.reopen()
	status, reason := s.ended(job)
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	s.goodRecords()
}

// TestAReplacedPDFThatFailedToComeBackIsTriedAgain checks that a PDF whose job failed counts as one that has not come back.
func TestAReplacedPDFThatFailedToComeBackIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Text("first"), "")
	s.process(paper, pdftest.Text("second"), "")

	s.options.PDFLimits = pdf.Limits{Text: 1}
	s.reopen()
	r := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	status, _ := s.ended(r.attribute(t, "job-guid"))
	require.Equal(t, remote.JobFailed, status)
	require.Equal(t, []string{"second"}, texts(s.pages(paper)))

	s.options.PDFLimits = pdf.Limits{}
	s.reopen()
	r = s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	status, reason := s.ended(r.attribute(t, "job-guid"))
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	s.goodRecords()
}
