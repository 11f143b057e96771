package admission

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
