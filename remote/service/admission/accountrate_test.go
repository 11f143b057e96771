package admission

import (
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
