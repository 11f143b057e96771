package admission

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLimiterHoldsInEveryMinute checks that no minute has more requests than the limit, and that a
// request is refused only if it would exceed the limit.
func TestLimiterHoldsInEveryMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rpm := rapid.IntRange(1, 5).Draw(t, "rpm")
		l := NewAccountRate(rpm, nil)
		now := time.Unix(1_900_000_000, 0)
		var accepted []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "pause")) * time.Second)
			recent := 0
			for _, at := range accepted {
				if now.Sub(at) < time.Minute {
					recent++
				}
			}
			wait := l.takeLocally(1, now)
			require.Equal(t, recent >= rpm, wait > 0)
			if wait == 0 {
				accepted = append(accepted, now)
				continue
			}
			require.LessOrEqual(t, wait, time.Minute)
			require.Equal(t, now.Add(wait), accepted[len(accepted)-rpm].Add(time.Minute))
		}
	})
}

// TestAddressesAreForgotten checks that requests from ever new addresses do not fill the memory,
// and that addresses that still count are kept.
func TestAddressesAreForgotten(t *testing.T) {
	a := NewAddressRate(10)
	now := time.Unix(1_900_000_000, 0)
	a.Now = func() time.Time { return now }
	a.Know("good")
	for range 10 * addressBurst {
		require.Zero(t, a.Take("busy"))
	}
	for i := range 100_000 {
		if i%100 == 0 {
			now = now.Add(time.Millisecond) // a hundred thousand addresses a second
		}
		a.Take(fmt.Sprint(i))
		require.Less(t, len(a.from), 25_000, "the addresses of two tenths of a second")
	}
	for range 10 { // for the second that has passed
		require.Zero(t, a.Take("busy"))
	}
	require.Positive(t, a.Take("busy"))
	require.Zero(t, a.Take("good"))
}
