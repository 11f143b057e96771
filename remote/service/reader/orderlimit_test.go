package reader

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOrderLimitsOfManyAddresses checks that the number of remembered addresses is bounded.
func TestOrderLimitsOfManyAddresses(t *testing.T) {
	t.Parallel()
	var l OrderLimits
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	for i := range 2*mostAddresses + 10 {
		require.Zero(t, l.take(fmt.Sprint(i), now))
		if len(l.from) > mostAddresses {
			t.Fatal(i)
		}
	}
}

// TestAnOrderThatIsGivenBack checks that an order given back no longer counts, and that the others still do.
func TestAnOrderThatIsGivenBack(t *testing.T) {
	t.Parallel()
	var l OrderLimits
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	for i := range addressMinute {
		require.Zero(t, l.take("a", now.Add(time.Duration(i))))
	}
	require.Equal(t, time.Minute-addressMinute, l.take("a", now.Add(addressMinute)))
	l.giveBack("a", now.Add(1))
	l.giveBack("a", now.Add(time.Hour))
	require.Zero(t, l.take("a", now.Add(addressMinute)))
	require.NotZero(t, l.take("a", now.Add(addressMinute)))
	l.take("b", now)
	l.giveBack("b", now)
	require.NotContains(t, l.from, "b")
}
