package document

import (
	"testing"
	"time"

	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

// TestWhatWasSeenOfAPaper checks that the token distinguishes pages of others from those of
// PDFs sent from this machine.
func TestWhatWasSeenOfAPaper(t *testing.T) {
	f := newFixture(t)
	require.Empty(t, f.PagesToken(12), "no pages are known")
	_, err := f.Pages(t.Context(), 12)
	require.NoError(t, err)
	seen := f.PagesToken(12)
	require.NotEmpty(t, seen)
	unchanged := func() bool {
		t.Helper()
		same, err := f.PagesUnchanged(t.Context(), 12, seen)
		require.NoError(t, err)
		return same
	}
	require.True(t, unchanged())
	f.service.err = &remote.Error{Op: "GetPaperStructure", Kind: remote.Refused, Code: remote.Failure}
	require.True(t, unchanged(), "the service does not return the pages")
	f.service.err = &remote.Error{Op: "GetPaperStructure", Kind: remote.Refused, Code: remote.PaperDoesNotExist}
	_, err = f.PagesUnchanged(t.Context(), 12, seen)
	require.ErrorIs(t, err, f.service.err)
	f.service.err = nil

	f.service.firstPage += 100
	require.False(t, unchanged())
	_, known := f.KnownPages(12)
	require.False(t, known, "the cached pages are older")

	f.service.guid, f.service.jobs[pendingJob] = pendingJob, remote.JobPending
	_, err = f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
	require.NoError(t, err)
	require.True(t, unchanged(), "the pages are, or will be, those of our own PDF")
	_, err = f.Pages(t.Context(), 12)
	require.NoError(t, err)
	require.Empty(t, f.PagesToken(12), "our PDF is being processed")
	f.service.jobs[pendingJob] = remote.JobCompleted
	f.now = f.now.Add(maxPoll)
	_, _, err = f.PaperJob(t.Context(), 12)
	require.NoError(t, err)
	require.NotEmpty(t, f.PagesToken(12))
}

// TestPagesSeenWhileAnOlderPDFIsProcessed has a damaged last PDF, so that the pages become
// those of our own older PDF.
func TestPagesSeenWhileAnOlderPDFIsProcessed(t *testing.T) {
	f := newFixture(t)
	f.send(t, 12, 2)
	f.service.jobs[guidOf(1)] = remote.JobPending
	f.service.jobs[guidOf(2)] = remote.JobFailed
	require.Equal(t, sumOf("2"), f.look(t, 12))
	_, err := f.Pages(t.Context(), 12)
	require.NoError(t, err)
	require.Empty(t, f.PagesToken(12))
	f.service.jobs[guidOf(1)] = remote.JobCompleted
	require.Equal(t, sumOf("1"), f.look(t, 12))
	_, err = f.Pages(t.Context(), 12)
	require.NoError(t, err)
	require.NotEmpty(t, f.PagesToken(12))
}

// TestAPDFThatGoesOutLate checks that Process compares the paper's pages after the wait for
// its turn, and sends the PDF right after that.
func TestAPDFThatGoesOutLate(t *testing.T) {
	f := newFixture(t)
	_, err := f.Pages(t.Context(), 12)
	require.NoError(t, err)
	old := false
	send := func() error {
		f.service.turns, f.service.calls = nil, map[string]int{}
		_, err := f.Process(IfUnchanged(t.Context(), f.PagesToken(12), func() bool { return old }), 12, text("%PDF-"), time.Time{})
		return err
	}
	f.service.turn = func() { old = true }
	f.service.firstPage += 100 // a colleague's page
	require.ErrorIs(t, send(), ErrPagesChanged)
	require.Equal(t, []int{2, -2}, f.service.turns)
	require.Equal(t, map[string]int{"GetPaperStructure": 1}, f.service.calls)

	_, err = f.Pages(t.Context(), 12)
	require.NoError(t, err)
	old = false
	require.NoError(t, send())
	require.Equal(t, []int{2, -2}, f.service.turns)
	require.Equal(t, map[string]int{"GetPaperStructure": 1, "ProcessPDF": 1}, f.service.calls)
}
