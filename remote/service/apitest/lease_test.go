package apitest

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
	status, reason := s.ended(job)
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Len(t, s.pages(paper), 30)
	s.keeps(2)
}
