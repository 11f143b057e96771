package gate

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// TestAFullGate lets nobody in until a place is free, and those who wait only so long.
func TestAFullGate(t *testing.T) {
	g := New(2, time.Hour)
	one, two, three := g.Place(), g.Place(), g.Place()
	require.True(t, one.Try())
	require.True(t, one.Try(), "it has the place already")
	require.NoError(t, two.Enter(t.Context()))
	require.False(t, three.Try())
	gone, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, three.Enter(gone), context.Canceled)
	three.Leave() // it has none

	entered := make(chan error)
	go func() { entered <- three.Enter(t.Context()) }()
	one.Leave()
	one.Leave()
	require.NoError(t, <-entered)
	require.False(t, one.Try(), "two places were left once")
	g.patience = time.Millisecond
	require.ErrorIs(t, one.Enter(t.Context()), store.ErrSlow)
	two.Leave()
	require.NoError(t, one.Enter(t.Context()))
}
