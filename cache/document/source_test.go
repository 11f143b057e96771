package document

import (
	"io"
	"strings"
	"testing"
	"time"

	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

// text is local content.
type text string

func (t text) Size() int64                  { return int64(len(t)) }
func (t text) Open() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(t))), nil }

func TestAProcessedPaperIsReadAgain(t *testing.T) {
	f := newFixture(t)
	_, ok, err := f.Source(12)
	require.NoError(t, err)
	require.False(t, ok)
	_, ok, err = f.PaperJob(t.Context(), 12)
	require.NoError(t, err)
	require.False(t, ok)

	f.expectCalls(t, 1, func() {
		_, err := f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
		require.NoError(t, err)
	})
	f.remount(t, "")
	source, ok, err := f.Source(12)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 5, source.Size)
	require.Len(t, source.SHA256, 64)
	require.Equal(t, f.now, source.Written)

	job, ok, err := f.PaperJob(t.Context(), 12)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Job{pendingJob, remote.JobPending, ""}, job)
	percent, ok, err := f.Progress(t.Context(), 12)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 35, percent)

	f.expectCalls(t, 1, func() { _, _ = f.Pages(t.Context(), 12); _, _ = f.Pages(t.Context(), 12) })
	f.service.jobs[pendingJob] = remote.JobCompleted
	f.now = f.now.Add(maxPoll)
	f.now = f.now.Add(-maxPoll + time.Second) // the cached structure is still fresh
	f.jobs.forget()
	version, ok := f.PagesVersion(12)
	require.True(t, ok)
	f.expectCalls(t, 2, func() {
		job, _, err = f.PaperJob(t.Context(), 12)
		require.NoError(t, err)
		require.Equal(t, remote.JobCompleted, job.Status)
		_, ok = f.KnownPages(12)
		require.True(t, ok)
	})
	same, ok := f.PagesVersion(12)
	require.True(t, ok)
	require.Equal(t, version, same, "the pages are still the old ones")
}

// TestAnOlderJobIsNotTakenForOurs checks that ProcessPDF receives the jobs that were started
// on this machine before, and that looking up a job first is no error.
func TestAnOlderJobIsNotTakenForOurs(t *testing.T) {
	f := newFixture(t)
	process := func() {
		_, err := f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
		require.NoError(t, err)
	}
	f.service.jobs[pendingJob] = remote.JobPending
	_, err := f.Job(t.Context(), pendingJob)
	require.NoError(t, err)
	process()
	require.Empty(t, f.service.older)
	job, ok, err := f.PaperJob(t.Context(), 12)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, pendingJob, job.GUID)

	process()
	require.Equal(t, []string{pendingJob}, f.service.older)
	f.service.jobs[pendingJob] = remote.JobCompleted
	f.now = f.now.Add(maxPoll)
	_, err = f.Job(t.Context(), pendingJob)
	require.NoError(t, err)
	process()
	require.Empty(t, f.service.older, "the job has ended")
}

func TestARefusedPDFRecordsNothing(t *testing.T) {
	f := newFixture(t)
	f.service.err = &remote.Error{Op: "ProcessPDF", Kind: remote.Refused, Code: remote.AlreadyBeingProcessed}
	_, err := f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
	require.ErrorIs(t, err, f.service.err)
	f.service.err = nil
	_, ok, err := f.Source(12)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestImagesAreFetchedOnceAndByNewAddressesWhereTheOldAreOver(t *testing.T) {
	f := newFixture(t)
	image := func() string {
		data, err := f.Image(t.Context(), 12, 1, "Thumb")
		require.NoError(t, err)
		return string(data)
	}
	f.expectCalls(t, 2, func() { require.Equal(t, "a small picture", image()) })
	f.expectCalls(t, 0, func() { require.Equal(t, "a small picture", image()) })
	f.now = f.now.Add(time.Hour)
	delete(f.service.files, "http://h/t")
	f.expectCalls(t, 4, func() { // structure and image, twice
		_, err := f.Image(t.Context(), 12, 1, "Thumb")
		var e *remote.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 404, e.Status)
	})
	_, err := f.Image(t.Context(), 12, 1, "Zoom")
	require.ErrorIs(t, err, ErrNoImage)
	_, err = f.Image(t.Context(), 12, 9, "Zoom")
	require.ErrorIs(t, err, ErrUnknownPage)
}
