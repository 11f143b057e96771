package apitest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
)

// TestOrdersOfAnAddressAreASetting checks that more orders are taken from one address, of a company
// say, where the operator allows it.
func TestOrdersOfAnAddressAreASetting(t *testing.T) {
	t.Parallel()
	s := openShop(t, func(o *service.Options) { o.AddressOrders = 42 })
	send := func() reply { return s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")) }
	for n := range 42 / 6 {
		require.Equal(t, 200, send().status, "order %d of a minute", n)
	}
	require.Equal(t, 429, send().status, "the sixth part of a day's orders was taken")
}
