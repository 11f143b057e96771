package document

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAnEditionIsKnownIfTheTreeIsNewer checks that an edition is known only if the tree is newer than what this mount has done.
func TestAnEditionIsKnownIfTheTreeIsNewer(t *testing.T) {
	f := newFixture(t)
	f.now = f.now.Add(time.Hour)
	fetch := func() time.Time {
		f.now = f.now.Add(time.Second)
		return f.now
	}
	first := fetch()
	require.True(t, f.SameEdition(1, first))

	f.service.media = fetch()
	require.False(t, f.SameEdition(1, first), "the paper may link to a media file")
	second := fetch()
	require.True(t, f.SameEdition(1, second))

	_, err := f.Process(t.Context(), 1, text("%PDF-"), time.Time{})
	require.NoError(t, err)
	during := fetch()
	require.False(t, f.SameEdition(1, second))
	require.False(t, f.SameEdition(1, during), "a job is under way")
	require.True(t, f.SameEdition(2, second), "another paper")
	fetch()
	f.service.jobs[pendingJob] = remote.JobCompleted
	_, err = f.Job(t.Context(), pendingJob)
	require.NoError(t, err)
	require.False(t, f.SameEdition(1, during), "the job has ended since")
	require.True(t, f.SameEdition(1, fetch()))
}
