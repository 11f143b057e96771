package library

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

func TestPendingJobIsAskedForWithGrowingPauses(t *testing.T) {
	f := newFixture(t)
	f.service.jobs[pendingJob] = remote.JobPending
	asked := func(seconds int) int {
		before := f.service.total()
		for range 10 * seconds {
			status, err := f.status(t.Context(), pendingJob)
			require.NoError(t, err)
			require.Equal(t, remote.JobPending, status)
			f.now = f.now.Add(100 * time.Millisecond)
		}
		return f.service.total() - before
	}
	require.Equal(t, 6, asked(30)) // after 0, 1, 3, 7, 15, 25 s
	require.InDelta(t, 30, asked(300), 1)
	f.now = f.now.Add(maxPoll)
	f.service.jobs[pendingJob] = remote.JobCompleted
	status, err := f.status(t.Context(), pendingJob)
	require.NoError(t, err)
	require.Equal(t, remote.JobCompleted, status)
	f.expectCalls(t, 0, func() { _, _ = f.status(t.Context(), pendingJob) })
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
