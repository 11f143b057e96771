package testrun

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTimersRunInTheirOrder checks that each timer sees its own time, and that one that a timer sets
// runs, too.
func TestTimersRunInTheirOrder(t *testing.T) {
	c := NewClock()
	began, clock := c.Now(), c.Clock()
	var ran []time.Duration
	at := func() { ran = append(ran, clock.Now().Sub(began)) }
	clock.AfterFunc(3*time.Second, at)
	clock.AfterFunc(time.Second, func() { at(); clock.AfterFunc(time.Second, at) })
	clock.AfterFunc(time.Minute, at)
	c.Advance(10 * time.Second)
	require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, ran)
	require.Equal(t, began.Add(10*time.Second), c.Now())
}

// TestAStoppedTimerDoesNotRun checks what stop returns before and after the timer's time.
func TestAStoppedTimerDoesNotRun(t *testing.T) {
	c := NewClock()
	ran := 0
	stop := c.Clock().AfterFunc(time.Second, func() { ran++ })
	late := c.Clock().AfterFunc(time.Second, func() { ran++ })
	require.True(t, stop())
	require.False(t, stop())
	c.Advance(time.Second)
	require.Equal(t, 1, ran)
	require.False(t, late())
}
