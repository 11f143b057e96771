package answer

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMethodsOfAnAddressThatIsNoOperation checks which methods are allowed, and what the others get.
func TestMethodsOfAnAddressThatIsNoOperation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method         string
		found, allowed bool
	}{
		{"GET", true, true}, {"HEAD", true, true}, {"GET", false, true}, {"POST", true, false},
		{"POST", false, true}, // the caller answers that nothing is there
		{"PUT", false, false}, {"DELETE", true, false}, {"get", true, false},
	} {
		w := httptest.NewRecorder()
		require.Equal(t, c.allowed, MayRead(w, &http.Request{Method: c.method}, c.found), "%s, found: %v", c.method, c.found)
		if !c.allowed {
			require.Equal(t, http.StatusMethodNotAllowed, w.Code)
			require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
			require.Equal(t, "Only GET and HEAD.\r\n", w.Body.String())
		}
	}
}

// TestAFailureHasOneLineAndItsHeaders checks the form of failures outside the envelope.
func TestAFailureHasOneLineAndItsHeaders(t *testing.T) {
	t.Parallel()
	f := &Failure{Status: http.StatusServiceUnavailable, Line: "The database is away.", Header: http.Header{"Retry-After": {RetryAfter}}}
	w := httptest.NewRecorder()
	f.Answer(w)
	require.Equal(t, f.Status, w.Code)
	require.Equal(t, "The database is away.\r\n", w.Body.String())
	require.Equal(t, "5", w.Header().Get("Retry-After"))
	require.Equal(t, "private", w.Header().Get("Cache-Control"), "no shared cache keeps a failure")
	require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
}
