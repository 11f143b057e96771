package pending

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAQueuedPDFWaitsThoughTheClockIsSetBack: else an attempt that is made again would not look for the
// PDF of somebody else.
func TestAQueuedPDFWaitsThoughTheClockIsSetBack(t *testing.T) {
	var p PDF
	p.since.Store(time.Now().Add(time.Hour).UnixNano())
	require.Greater(t, p.waits(), waitsMost)
}
