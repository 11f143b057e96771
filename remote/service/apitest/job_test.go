package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
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
