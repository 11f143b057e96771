package remote

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAJobThatMayBeAnOlderOneIsUnknown checks a service that sends no GUIDs: after a lost answer, a
// job of the paper that may have begun before the call does not count as ours, and does not count as
// another one either. One that certainly began later is ours.
func TestAJobThatMayBeAnOlderOneIsUnknown(t *testing.T) {
	s, c := lostAnswer(t, "", 0)
	_, err := c.ProcessPDF(t.Context(), 7, "", content("%PDF-"))
	require.ErrorContains(t, err, "does not say whether it is this one")
	require.True(t, ambiguous(err))
	require.Len(t, s.requests(), 2, "sent and looked up")

	var guid string
	require.True(t, testrun.Must(c.isProcessing(t.Context(), 7, time.Now().Add(-time.Minute), nil, &guid))(t))
}
