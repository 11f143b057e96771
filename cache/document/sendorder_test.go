package document

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTurnsOfPDFs checks that a PDF whose caller gives up is skipped when its turn comes, not
// before, and that all waiting PDFs share one time limit.
func TestTurnsOfPDFs(t *testing.T) {
	var turns sendOrder
	endFirst, err := turns.acquire(t.Context(), 12)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.acquire(ctx, 12)
	require.ErrorIs(t, err, context.Canceled)
	third := make(chan func())
	go func() {
		end, err := turns.acquire(t.Context(), 12)
		assert.NoError(t, err)
		third <- end
	}()
	select {
	case <-third:
		t.Fatal("the first PDF's turn has not ended")
	default:
	}
	came := time.Now()
	turns.noteWait(12, came.Add(-time.Hour), came.Add(maxProcessingWait-time.Second))
	require.Equal(t, time.Second, turns.waitLeft(12, came))
	turns.noteWait(12, came.Add(maxProcessingWait), came.Add(maxProcessingWait+time.Minute))
	require.Zero(t, turns.waitLeft(12, came))
	require.Equal(t, maxProcessingWait, turns.waitLeft(12, came.Add(time.Hour)))
	endFirst()
	(<-third)()
	require.Equal(t, maxProcessingWait, turns.waitLeft(12, came), "no PDF is under way any more")
}
