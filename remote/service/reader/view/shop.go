package view

import (
	"fmt"
	"strings"
)

// Shop is how the products of a paper are ordered.
type Shop struct {
	Paper     int64 // id, by which a browser keeps the basket
	Currency  string
	Preview   bool // nothing is sent
	Checkouts []Checkout
}

// Checkout is a way to order.
type Checkout struct {
	Type string // as rules.CheckoutTypes
	To   string // whom the order is handed to; or ""
}

// Label says what a checkout does.
func (c Checkout) Label(w Words) string {
	label := w.Checkouts[c.Type]
	if strings.Contains(label, "%s") {
		return fmt.Sprintf(label, c.To)
	}
	return label
}
