package apitest

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/testrun"
)

// TestTheLogHasTheStatusOfHEAD asks for the head of pages of the reader, rendered and cached, and of a file: the log and the
// metrics have the status that the client got.
func TestTheLogHasTheStatusOfHEAD(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.upload("0", "file", "content")
	s.paperOf("spring", "one")
	const tries = 2
	addresses := []string{s.must(remote.GetTree).attribute(t, "url"), s.http.URL + "/", s.http.URL + "/spring/"}
	for range tries {
		for _, address := range addresses {
			resp := testrun.Must(http.Head(address))(t)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusOK, resp.StatusCode, address)
		}
	}
	lines := tries * len(addresses)
	require.Eventually(t, func() bool { return strings.Count(log.String(), "method=HEAD") == lines }, testrun.Patience(), time.Millisecond)
	for line := range strings.Lines(log.String()) {
		require.NotContains(t, line, "status=0 ")
	}
	require.Zero(t, s.metric(`paperfs_service_requests_total{code="0",operation=""}`))
}
