package waiter

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var errDown = errors.New("the service is down")

// TestCallersShareARequest checks that one request is in progress, and that one more, for all who
// need a later answer, begins after it.
func TestCallersShareARequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := Flights{Now: time.Now}
		began, under, most := 0, 0, 0
		fly := func() error {
			began++
			under++
			most = max(most, under)
			time.Sleep(time.Second)
			under--
			return nil
		}
		first := f.Since(time.Time{}, nil, fly)
		require.Same(t, first, f.Since(time.Time{}, nil, fly))
		time.Sleep(time.Second / 2)
		later := f.Fresh(fly)
		require.NotSame(t, first, later)
		require.Same(t, later, f.Fresh(fly))
		require.Same(t, first, f.Since(time.Now().Add(-time.Minute), nil, fly), "it began late enough")
		require.Same(t, later, f.Since(time.Now(), nil, fly))
		require.NoError(t, later.Await(t.Context()))
		require.Equal(t, 2, began)
		require.Equal(t, 1, most)
		f.Wait()
		enough := func() bool { return true }
		require.NoError(t, f.Since(time.Now(), enough, fly).Await(t.Context()), "what is known is enough")
		require.Equal(t, 2, began)
	})
}

// TestEveryCallerIsToldOfTheFailure checks the error of a request, and that a caller who leaves does
// not end it.
func TestEveryCallerIsToldOfTheFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := Flights{Now: time.Now}
		fly := func() error { time.Sleep(time.Second); return errDown }
		fl := f.Since(time.Time{}, nil, fly)
		short, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		require.ErrorIs(t, fl.Await(short), context.DeadlineExceeded)
		require.ErrorIs(t, fl.Await(t.Context()), errDown)
		require.NoError(t, f.Since(time.Time{}, nil, func() error { return nil }).Await(t.Context()), "the next request has its own answer")
		f.Wait()
	})
}
