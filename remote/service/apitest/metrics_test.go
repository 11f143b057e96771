package apitest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// metric returns the value of a line of the operator's metrics, or 0 if there is none.
func (s *server) metric(name string) float64 {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.service.Operator().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(s.t, http.StatusOK, w.Code)
	for line := range strings.Lines(w.Body.String()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return testrun.Must(strconv.ParseFloat(strings.TrimSpace(value), 64))(s.t)
		}
	}
	return 0
}

// TestBytesReceivedAreCountedAsTheyCome checks that exactly the received bytes count, even of a
// body of unknown length.
func TestBytesReceivedAreCountedAsTheyCome(t *testing.T) {
	t.Parallel()
	s := start(t)
	const received = "paperfs_service_received_bytes_total"
	body := s.credentials(remote.GetPaperIDFromUrl)
	body.Set("url", "/")
	text := body.Encode()
	for _, chunked := range []bool{true, false} {
		before := s.metric(received)
		var content io.Reader = strings.NewReader(text)
		if chunked {
			content = io.MultiReader(content) // hides the length
		}
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetPaperIDFromUrl.Path(), content))(t)
		require.Equal(t, !chunked, req.ContentLength > 0)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, remote.Success, s.do(req).code)
		// The service counts a request after it has written the answer.
		require.Eventually(t, func() bool { return s.metric(received) != before }, testrun.Patience(), time.Millisecond)
		require.EqualValues(t, len(text), s.metric(received)-before)
	}
}

func TestTheOperatorSeesHowLongTheDatabaseTakes(t *testing.T) {
	t.Parallel()
	s := start(t)
	count := func(transaction string) float64 {
		return s.metric(`paperfs_service_database_seconds_count{transaction="` + transaction + `"}`)
	}
	reads, writes, callers := count("read"), count("write"), count("caller")
	s.paper("1", "one")
	require.Greater(t, count("read"), reads)
	require.Greater(t, count("write"), writes)
	require.Greater(t, count("caller"), callers)
	for _, transaction := range []string{"read", "write", "caller"} {
		require.Positive(t, s.metric(`paperfs_service_database_seconds_sum{transaction="`+transaction+`"}`))
	}
}
