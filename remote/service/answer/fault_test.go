package answer

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

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
