package document

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTurnsOfPDFs: who gives up is passed over when its turn comes, not before, and those that wait in line
// have one bound for all of them.
func TestTurnsOfPDFs(t *testing.T) {
	var turns turns
	endFirst, err := turns.take(t.Context(), 12)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.take(ctx, 12)
	require.ErrorIs(t, err, context.Canceled)
	third := make(chan func())
	go func() {
		end, err := turns.take(t.Context(), 12)
		assert.NoError(t, err)
		third <- end
	}()
	select {
	case <-third:
		t.Fatal("the first has its turn still")
	default:
	}
	came := time.Now()
	turns.waited(12, came.Add(-time.Hour), came.Add(longestTurn-time.Second))
	require.Equal(t, time.Second, turns.left(12, came))
	turns.waited(12, came.Add(longestTurn), came.Add(longestTurn+time.Minute))
	require.Zero(t, turns.left(12, came))
	require.Equal(t, longestTurn, turns.left(12, came.Add(time.Hour)))
	endFirst()
	(<-third)()
	require.Equal(t, longestTurn, turns.left(12, came), "nothing is sent any more")
}
