package waiter

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAChangeKnowsThatItsCallerHasLeft checks that a change knows whether its caller has left, also once nothing
// cancels the change any more.
func TestAChangeKnowsThatItsCallerHasLeft(t *testing.T) {
	t.Parallel()
	ctx, leave := With(t.Context())
	work := Committed(ctx)
	require.False(t, HasLeft(work))
	leave()
	leave()
	require.True(t, HasLeft(work))
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.NoError(t, work.Err())
	require.False(t, HasLeft(t.Context()), "nobody can leave")
}

// TestAnUploadIsEndedBeforeItsLastBytesOnly checks the gate: either the caller leaves in time, and the
// service never gets the end, or it has it all.
func TestAnUploadIsEndedBeforeItsLastBytesOnly(t *testing.T) {
	t.Parallel()
	var early, late Undecided
	require.NoError(t, early.Begin())
	require.True(t, early.End())
	require.ErrorIs(t, early.Finish(), ErrLeft)
	require.ErrorIs(t, early.Begin(), ErrLeft, "no further request")
	require.NoError(t, late.Begin())
	require.NoError(t, late.Finish())
	require.False(t, late.End())
	require.False(t, late.Ended())
	require.NoError(t, late.Begin(), "what the service may have is sent again")
	require.NoError(t, late.Finish())
}
