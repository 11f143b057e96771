package answer

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
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

type request struct{}

func (request) String() string { return "r-17" }

// TestAnErrorBecomesAFault checks that a fault stays as it is, however it is wrapped, that a full
// disk is named, and that nothing else of an error is told.
func TestAnErrorBecomesAFault(t *testing.T) {
	t.Parallel()
	own := Refuse(remote.PaperDoesNotExist, "There is no paper %d.", 7)
	require.Same(t, own, FaultOf(fmt.Errorf("look up: %w", own), request{}))
	require.Equal(t, "There is no paper 7.", own.Message)
	for _, full := range []error{store.ErrNoSpace, &errorOf{syscall.ENOSPC}} {
		f := FaultOf(fmt.Errorf("write: %w", full), request{})
		require.Equal(t, remote.Failure, f.Code)
		require.Contains(t, f.Message, "its disk is full")
		require.NotNil(t, f.Data, "clients that know it are told what is full")
	}
	f := FaultOf(errors.New("open /srv/secret: denied"), request{})
	require.Equal(t, remote.Failure, f.Code)
	require.NotContains(t, f.Message, "secret")
	require.Contains(t, f.Message, "r-17")
	require.Nil(t, f.Data)
}

type errorOf struct{ error }

func (e *errorOf) Unwrap() error { return e.error }
