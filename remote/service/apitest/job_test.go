package apitest

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

func TestGetProcessingStatus(t *testing.T) {
	t.Parallel()
	s := imported(t)
	op := remote.GetProcessingStatus
	for guid, status := range map[string]string{
		"8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11":      "Completed",
		" {8E0C2A44-6c5e-4c6a-9f0b-0f6b9b0e7a11}\n": "Completed",
		"0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950":      "Pending",
		"11111111-2222-3333-4444-555555555555":      "Failed",
		"11111111-2222-3333-4444-555555555556":      "EnrichmentProcessingFailed",
	} {
		require.Equal(t, "<ProcessStatus><![CDATA["+status+"]]></ProcessStatus>", s.both(op, "jobGuid", guid).data, guid)
	}
	for _, guid := range []string{"", "x", "11111111-2222-3333-4444-555555555557", "11111111222233334444555555555555",
		"urn:uuid:8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11", "{8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11"} {
		s.fails(remote.Failure, op, "jobGuid", guid)
	}
	s.must(remote.DeletePaper, "paperID", "6")
	s.must(op, "jobGuid", "11111111-2222-3333-4444-555555555555") // jobs are not removed
}

// TestAnImportedPendingJobBlocksNothing checks that an imported pending job, which belongs to
// another system and may never end, blocks no operation.
func TestAnImportedPendingJobBlocksNothing(t *testing.T) {
	t.Parallel()
	const pending = "0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950"
	for reason, end := range map[string]func(s *server){
		"Another PDF": func(s *server) { s.process("3", pdftest.Text("new"), "") },
		"The paper":   func(s *server) { s.must(remote.DeletePaper, "paperID", "3") },
	} {
		s := imported(t)
		require.Contains(t, s.must(remote.GetProcessingPapers).data, pending)
		end(s)
		status := s.must(remote.GetProcessingStatus, "jobGuid", pending)
		require.Equal(t, "Failed", status.element(t, "ProcessStatus"))
		require.Contains(t, status.element(t, "Reason"), reason)
		require.NotContains(t, s.must(remote.GetProcessingPapers).data, pending)
	}
}

// TestUnknownOptionsOfAPDFAreIgnored checks that the service takes elements that it does not know, as the real
// service does, and the known ones beside them. Only a mount of the embedded service refuses them, at its start.
func TestUnknownOptionsOfAPDFAreIgnored(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "book")
	s.process(paper, pdftest.Text("first", "second"), pdfOptions(`<other><import-links>maybe</import-links></other><all-pages>false</all-pages><pages-from>2</pages-from><pages-to>2</pages-to>`+
		`<preprocessors><stamp/><preprocessor name="stamp"><ink>red</ink></preprocessor></preprocessors>`))
	page := s.visit("/book/").body
	require.Contains(t, page, ">second</p>")
	require.NotContains(t, page, ">first</p>")
}

// TestWarningsAreToldWithACompletedJob checks that a PDF with a damaged page is a paper, and that its page is named.
func TestWarningsAreToldWithACompletedJob(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Check the price)>>]>>"
	status, reason := s.ended(s.queue(one, pdftest.Objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 2/Kids[4 0 R 3 0 R]>>", page, "null"), ""))
	require.Equal(t, remote.JobCompleted, status)
	require.Equal(t, "Page 1: it is blank, because the PDF has something else in its place. Page 2: the notes of reviewers (1) are not shown.", reason)
	require.Len(t, s.pages(one), 2)
}

// TestAJobThatAnotherTookOver checks that the earlier owner of a job cannot end it, and that the
// pages and images it made are discarded.
func TestAJobThatAnotherTookOver(t *testing.T) {
	s := start(t)
	paper := s.paper(s.root(), "spring")
	db := s.place().Beside(t)
	var job string
	for {
		var worker int
		job, worker = s.underWay(paper, os.Getpid())
		_ = syscall.Kill(worker, syscall.SIGSTOP) // the worker may have ended
		require.NoError(t, db.Abandon(t.Context(), s.inside().Queue.Owner()))
		taken, err := db.Claim(t.Context(), "another", time.Hour)
		_ = syscall.Kill(worker, syscall.SIGCONT)
		if err == nil {
			require.Equal(t, job, taken.GUID)
			break
		}
		s.ended(job)
	}
	pages := len(s.pages(paper)) // in case a job was finished before it could be taken over
	require.Eventually(t, func() bool {
		return s.must(remote.GetProcessingPapers).attribute(t, "progress") == "0" // the recorded progress: this service no longer works on the job
	}, testrun.Patience(), time.Millisecond)
	require.Len(t, s.pages(paper), pages)
	require.Contains(t, s.must(remote.GetProcessingStatus, "jobGuid", job).data, "Pending")

	require.NoError(t, db.Abandon(t.Context(), "another"))
	s.reopen()
	s.completes(job)
	require.Len(t, s.pages(paper), 30)
	s.keeps(2)
}
