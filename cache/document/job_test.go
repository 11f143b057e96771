package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"paperfs/remote"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	doneJob    = "0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950"
	pendingJob = "1d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a951"
	unknownJob = "2d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a952"
)

func TestFinalStatusIsKnownForEver(t *testing.T) {
	f := newFixture(t)
	f.service.jobs[doneJob] = remote.JobEnrichmentFailed
	for _, n := range []int{1, 0} {
		f.expectCalls(t, n, func() {
			for _, name := range []string{doneJob, "{" + strings.ToUpper(doneJob) + "}"} {
				status, err := f.status(t.Context(), name)
				require.NoError(t, err)
				require.Equal(t, remote.JobEnrichmentFailed, status)
			}
		})
		f.remount(t, "")
		f.now = f.now.Add(1000 * time.Hour)
	}
	jobs, err := f.Jobs()
	require.NoError(t, err)
	require.Equal(t, []string{doneJob}, jobs)
}

// TestTheEndOfAJobIsSeenSoonAsAJobGoes checks that a poll notices the end of a job within a
// quarter of the time that the job took, or within the shortest pause, but never later than
// the longest pause.
func TestTheEndOfAJobIsSeenSoonAsAJobGoes(t *testing.T) {
	for _, took := range []time.Duration{300, 700, 1100, 2000, 3700, 9100, 25_000, 44_900, 120_000, 1_000_000} {
		took *= time.Millisecond
		f := newFixture(t)
		f.service.jobs[pendingJob] = remote.JobPending
		began, late := f.now, min(max(took/4, minPoll), maxPoll)
		for status := remote.JobPending; status == remote.JobPending; f.now = f.now.Add(100 * time.Millisecond) {
			if f.now.Sub(began) >= took {
				f.service.jobs[pendingJob] = remote.JobCompleted
			}
			var err error
			status, err = f.status(t.Context(), pendingJob)
			require.NoError(t, err)
			require.LessOrEqual(t, f.now.Sub(began), took+late+100*time.Millisecond, "a job of %s", took)
		}
		f.expectCalls(t, 0, func() { _, _ = f.status(t.Context(), pendingJob) })
	}
}

// TestAPendingJobIsAskedForSeldom checks that waiting for a job leaves half of the first
// minute's requests to others, and 39 of 45 in each later minute.
func TestAPendingJobIsAskedForSeldom(t *testing.T) {
	f := newFixture(t)
	f.service.jobs[pendingJob] = remote.JobPending
	asked := func(minutes int) int {
		before := f.service.total()
		for range 600 * minutes {
			_, err := f.status(t.Context(), pendingJob)
			require.NoError(t, err)
			f.now = f.now.Add(100 * time.Millisecond)
		}
		return f.service.total() - before
	}
	require.Equal(t, 22, asked(1))
	require.LessOrEqual(t, asked(10), 60)
}

func TestUnknownJobs(t *testing.T) {
	f := newFixture(t)
	f.expectCalls(t, 1, func() {
		_, err := f.status(t.Context(), unknownJob)
		require.ErrorIs(t, err, ErrUnknownJob)
		var e *remote.Error
		require.True(t, errors.As(err, &e), "the service's message is kept")
	})
	f.expectCalls(t, 0, func() {
		for _, name := range []string{"", "x", unknownJob[1:], "{" + unknownJob, strings.ReplaceAll(unknownJob, "-", ""),
			"urn:uuid:" + unknownJob, unknownJob[:35] + "g", strings.Replace(unknownJob, "-", "0", 1)} {
			_, err := f.status(t.Context(), name)
			require.ErrorIs(t, err, ErrUnknownJob, name)
		}
	})
	jobs, err := f.Jobs()
	require.NoError(t, err)
	require.Empty(t, jobs)
	f.service.err = &remote.Error{Op: "GetProcessingStatus", Kind: remote.Unreachable}
	_, err = f.status(t.Context(), unknownJob)
	require.NotErrorIs(t, err, ErrUnknownJob)
}

func TestJobNamesHaveOneCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		guid := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "guid"))
		name := []byte(guid.String())
		for i := range name {
			if rapid.Bool().Draw(t, "upper") {
				name[i] = strings.ToUpper(string(name[i]))[0]
			}
		}
		braced := rapid.SampledFrom([]string{"%s", "{%s}", " %s "}).Draw(t, "form")
		got, ok := JobName(fmt.Sprintf(braced, name))
		require.True(t, ok)
		require.Equal(t, guid.String(), got)

		any := rapid.String().Draw(t, "any")
		if got, ok := JobName(any); ok {
			again, ok := JobName(got)
			require.True(t, ok)
			require.Equal(t, got, again)
		}
	})
}

// TestTheEndOfAJobIsKnownAfterItsOldPagesAreForgotten checks that the old pages are removed
// before the end of the job is recorded, because a caller that knows of the end takes the
// cached pages for those of the new PDF. A kill between the two steps leaves no old pages
// either.
func TestTheEndOfAJobIsKnownAfterItsOldPagesAreForgotten(t *testing.T) {
	f := newFixture(t)
	f.service.guid, f.service.jobs[pendingJob] = pendingJob, remote.JobPending
	_, err := f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
	require.NoError(t, err)
	_, err = f.Pages(t.Context(), 12)
	require.NoError(t, err)
	_, err = f.state.DB().Exec("CREATE TRIGGER full BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'full'); END")
	require.NoError(t, err)
	f.service.jobs[pendingJob] = remote.JobCompleted
	_, err = f.status(t.Context(), pendingJob)
	require.ErrorContains(t, err, "full")
	_, known := f.KnownPages(12)
	require.False(t, known)
}

// TestAJobThatIsToldIsAskedForAtOnce checks that the service's word that a job has ended does not wait for the next
// poll, that it is asked for once, and that the pages of its paper are read then, also after a job of others.
func TestAJobThatIsToldIsAskedForAtOnce(t *testing.T) {
	f := newFixture(t)
	f.service.jobs[pendingJob] = remote.JobPending
	f.expectCalls(t, 1, func() { _, _ = f.status(t.Context(), pendingJob) })
	f.expectCalls(t, 0, func() { _, _ = f.status(t.Context(), pendingJob) })
	f.service.jobs[pendingJob] = remote.JobCompleted
	f.expectCalls(t, 2, func() {
		job, known, err := f.JobTold(t.Context(), 7, pendingJob, remote.JobCompleted)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, remote.JobCompleted, job.Status)
	})
	f.expectCalls(t, 0, func() {
		for _, name := range []string{pendingJob, unknownJob, "no GUID"} {
			_, known, err := f.JobTold(t.Context(), 7, name, remote.JobCompleted)
			require.NoError(t, err)
			require.False(t, known)
		}
		_, _ = f.status(t.Context(), pendingJob)
	})
}
