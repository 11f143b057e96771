package view

import (
	"fmt"
	"strings"
)

// Shop says how the products of a paper are ordered.
type Shop struct {
	Paper     int64 // id; the browser stores the basket under it
	Currency  string
	Preview   bool // orders are disabled
	Checkouts []Checkout
}

// Checkout is a way to order.
type Checkout struct {
	Type string // as rules.CheckoutTypes
	To   string // recipient of the order; or ""
}

// Label says what the checkout does.
func (c Checkout) Label(w Words) string {
	label := w.Checkouts[c.Type]
	if strings.Contains(label, "%s") {
		return fmt.Sprintf(label, c.To)
	}
	return label
}
