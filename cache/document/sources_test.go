package document

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

// guidOf returns the job of the nth PDF that send uploads.
func guidOf(n int) string { return fmt.Sprintf("0d5f6c1e-93aa-4b1e-8f7d-%012d", n) }

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// send uploads the PDFs "1", "2" and so on for a paper; their jobs are pending.
func (f *fixture) send(t *testing.T, paper int64, n int) {
	t.Helper()
	for i := 1; i <= n; i++ {
		f.service.guid = guidOf(i)
		_, err := f.Process(t.Context(), paper, text(fmt.Sprint(i)), time.Time{})
		require.NoError(t, err)
	}
}

// look polls a paper's last job, and returns the digest of the paper's PDF after that.
func (f *fixture) look(t *testing.T, paper int64) string {
	t.Helper()
	f.now = f.now.Add(time.Hour)
	_, _, _ = f.PaperJob(t.Context(), paper)
	s, ok, err := f.Source(paper)
	require.NoError(t, err)
	require.True(t, ok)
	return s.SHA256
}

// TestAPDFThatIsBeingProcessedIsNotTheLastGoodOne checks that a PDF counts as good only once
// its job has ended.
func TestAPDFThatIsBeingProcessedIsNotTheLastGoodOne(t *testing.T) {
	f := newFixture(t)
	f.send(t, 12, 3)
	f.service.jobs[guidOf(1)] = remote.JobCompleted
	f.service.jobs[guidOf(3)] = remote.JobFailed
	require.Equal(t, sumOf("3"), f.look(t, 12))
	f.remount(t, "")
	require.Equal(t, sumOf("3"), f.look(t, 12))
	f.service.jobs[guidOf(2)] = remote.JobFailed
	require.Equal(t, sumOf("1"), f.look(t, 12))
}

// TestMorePDFsAreKeptWhileOneIsBeingProcessed checks that more PDFs than usual are kept while
// one is being processed.
func TestMorePDFsAreKeptWhileOneIsBeingProcessed(t *testing.T) {
	f := newFixture(t)
	f.send(t, 12, 2*maxOlder)
	for i := 2; i <= 2*maxOlder; i++ {
		f.service.jobs[guidOf(i)] = remote.JobFailed
	}
	f.service.jobs[guidOf(1)] = remote.JobCompleted
	require.Equal(t, sumOf("1"), f.look(t, 12))
}

// TestAPDFWhoseJobIsUnknownIsTheLastGoodOne checks that such a PDF counts only if no other is
// known to be good.
func TestAPDFWhoseJobIsUnknownIsTheLastGoodOne(t *testing.T) {
	for known, want := range map[bool]string{true: "1", false: "2"} {
		f := newFixture(t)
		f.send(t, 12, 3)
		if known {
			f.service.jobs[guidOf(1)] = remote.JobCompleted
		} else {
			delete(f.service.jobs, guidOf(1))
		}
		delete(f.service.jobs, guidOf(2))
		f.service.jobs[guidOf(3)] = remote.JobFailed
		require.Equal(t, sumOf(want), f.look(t, 12))
	}
}

// TestTheJobsOfADeletedPaper checks that another paper that gets the same id does not inherit
// the jobs.
func TestTheJobsOfADeletedPaper(t *testing.T) {
	f := newFixture(t)
	f.send(t, 12, 1)
	require.NoError(t, f.Deleted(12))
	_, ok, err := f.PaperJob(t.Context(), 12)
	require.NoError(t, err)
	require.False(t, ok)
	under, err := f.JobsUnderWay()
	require.NoError(t, err)
	require.Empty(t, under)
	jobs, err := f.Jobs()
	require.NoError(t, err)
	require.Equal(t, []string{guidOf(1)}, jobs)
}

// TestOnlyTheLastJobOfAPaperIsUnderWay checks that older jobs do not count, because the last
// one replaces their pages.
func TestOnlyTheLastJobOfAPaperIsUnderWay(t *testing.T) {
	f := newFixture(t)
	f.send(t, 12, 2)
	under, err := f.JobsUnderWay()
	require.NoError(t, err)
	require.Len(t, under, 1)
	require.Equal(t, guidOf(2), under[0].GUID)
	f.service.jobs[guidOf(2)] = remote.JobCompleted
	f.look(t, 12)
	under, err = f.JobsUnderWay()
	require.NoError(t, err)
	require.Empty(t, under)
}
