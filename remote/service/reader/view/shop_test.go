package view

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPricesAreReadInTheLanguage checks the format of prices, also of products that cannot be ordered.
func TestPricesAreReadInTheLanguage(t *testing.T) {
	p := &Paper{Shop: &Shop{Currency: "EUR"}}
	german := Languages()["de"]
	require.Equal(t, "29,25 EUR", p.Cost(Item{ID: "x", Price: "29.25"}, german))
	require.Equal(t, "29,25 EUR", p.Cost(Item{Price: "29.25"}, german))
	require.Equal(t, "from 3", p.Cost(Item{Price: "from 3"}, german))
	p.Shop = nil
	require.Equal(t, "9,00", p.Cost(Item{Price: "9"}, german))
}
