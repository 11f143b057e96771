package document

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTurnsOfPDFs checks that a PDF whose caller gives up is skipped when its turn comes, not
// before.
func TestTurnsOfPDFs(t *testing.T) {
	var turns sendOrder
	pdf := key{docProcessing, 12, ""}
	endFirst, err := turns.acquire(t.Context(), pdf)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.acquire(ctx, pdf)
	require.ErrorIs(t, err, context.Canceled)
	third := make(chan func())
	go func() {
		end, err := turns.acquire(t.Context(), pdf)
		assert.NoError(t, err)
		third <- end
	}()
	select {
	case <-third:
		t.Fatal("the first PDF's turn has not ended")
	default:
	}
	endFirst()
	(<-third)()
	require.Empty(t, turns.last, "no PDF is under way any more")
}
