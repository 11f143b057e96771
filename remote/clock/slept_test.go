package clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSleptStaysTheSameWhileTheMachineRuns(t *testing.T) {
	first := Slept()
	require.GreaterOrEqual(t, first, time.Duration(0))
	for range 10_000 {
		require.Equal(t, first, Slept())
	}
}

func TestSleepIsCountedInStepsAndNeverGetsLess(t *testing.T) {
	var s sleep
	for _, c := range []struct{ measured, told time.Duration }{
		{-time.Microsecond, 0},
		{99 * time.Millisecond, 0},
		{8 * time.Hour, 8 * time.Hour},
		{8*time.Hour - time.Second, 8 * time.Hour},
		{8*time.Hour + time.Millisecond, 8 * time.Hour},
		{8*time.Hour + 100*time.Millisecond, 8*time.Hour + 100*time.Millisecond},
	} {
		require.Equal(t, c.told, s.least(c.measured), c.measured)
	}
}
