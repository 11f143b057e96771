package reader

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOrdersOfAnAddressAreASetting checks a company that orders from behind one address.
func TestOrdersOfAnAddressAreASetting(t *testing.T) {
	t.Parallel()
	l := OrderLimits{AddressDay: 120}
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	for i := range 120 {
		at := now.Add(time.Duration(i/20) * time.Minute)
		require.Zero(t, l.take("company", at), i)
		if i%20 == 19 {
			require.Equal(t, i < 119, l.take("company", at) <= time.Minute, i)
		}
	}
	require.Positive(t, l.take("company", now.Add(time.Hour)))
}
