package waiter

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhoLeavesIsToldOnce checks what is to be done when a caller leaves, before and after it.
func TestWhoLeavesIsToldOnce(t *testing.T) {
	t.Parallel()
	ctx, leave := With(t.Context())
	told := 0
	Of(ctx).OnLeave(func() { told++ })
	require.False(t, Of(ctx).HasLeft())
	require.Zero(t, told)
	leave()
	leave()
	require.Equal(t, 1, told)
	require.True(t, Of(ctx).HasLeft())
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.NoError(t, Committed(ctx).Err())
	Of(ctx).OnLeave(func() { told++ })
	require.Equal(t, 2, told, "it has left already")
	Of(t.Context()).OnLeave(func() { t.Error("nobody can leave") })
	require.False(t, Of(t.Context()).HasLeft())
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
