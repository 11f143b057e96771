package remote

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// lostAnswer is a service that loses its first answer to ProcessPDF and then reports one job of
// paper 7, with this GUID and age.
func lostAnswer(t *testing.T, guid string, age time.Duration) (*standIn, *Client) {
	var sent atomic.Int32 // atomic, because an aborted call does not order its handler before the next one
	return serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "GetProcessingPapers") {
			now := time.Now().Add(-5 * time.Hour) // the service's clock is wrong
			w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
			_, _ = io.WriteString(w, result(Success, fmt.Sprintf(`<processes><process created="%s" paper-id="7" progress="3" job-guid="%s" /></processes>`,
				now.Add(-age).UTC().Format(time.DateTime), guid)))
			return
		}
		if sent.Add(1) == 1 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, result(AlreadyBeingProcessed, ""))
	})
}

// TestAnOlderJobIsNotTakenForOurs checks that, after a lost answer, the client accepts a job of the
// paper as its own only if the job began no earlier than the call and was not known before.
func TestAnOlderJobIsNotTakenForOurs(t *testing.T) {
	t.Parallel()
	_, c := lostAnswer(t, "ours", 0)
	require.Equal(t, "ours", testrun.Must(c.ProcessPDF(t.Context(), 7, "", content("%PDF-")))(t).GUID)

	_, c = lostAnswer(t, "known", 0)
	_, err := c.ProcessPDF(t.Context(), 7, "", content("%PDF-"), "other", "known")
	require.Equal(t, AlreadyBeingProcessed, fails(t, err, Refused).Code)

	for _, guid := range []string{"colleague", ""} {
		s, c := lostAnswer(t, guid, time.Hour)
		_, err = c.ProcessPDF(t.Context(), 7, "", content("%PDF-"))
		require.Equal(t, AlreadyBeingProcessed, fails(t, err, Refused).Code)
		require.False(t, fails(t, err, Refused).Ambiguous)
		require.Len(t, s.requests(), 4, "sent, looked up, sent again, looked up")
		_, err = c.ReprocessPaper(t.Context(), 7, "")
		require.Equal(t, AlreadyBeingProcessed, fails(t, err, Refused).Code)
	}
}

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
