package view

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"paperfs/remote/service/product"
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

// Receipt is what comes of an order: one that was recorded (with its ID), one that has
// to be confirmed (with a Key), or one that was Refused. A script gets it as JSON.
type Receipt struct {
	Frame    `json:"-"`
	Shop     *Shop             `json:"-"`
	Query    string            `json:"-"` // of the address of the paper
	Key      string            `json:"-"`
	Lines    []ReceiptLine     `json:"-"`
	ID       string            `json:"orderId,omitempty"`
	Date     string            `json:"date,omitempty"`
	Total    string            `json:"total,omitempty"`
	Handover Handover          `json:"handover,omitzero"`
	Refused  string            `json:"refused,omitempty"` // why, in words
	Prices   map[string]string `json:"prices,omitempty"`  // by product: the price now, "" for one that cannot be ordered
}

// ReceiptLine is a product of an order.
type ReceiptLine struct {
	ID, Name, Price string
	Amount          int64
}

// Handover is what a browser does with an order that was recorded.
type Handover struct {
	Type   string       `json:"type"`
	To     template.URL `json:"to,omitempty"`     // address to follow, or to send the basket to
	Basket string       `json:"basket,omitempty"` // the order as XML
}

// Label says what a hand-over does.
func (h Handover) Label(w Words) string { return w.Handovers[h.Type] }

type receiptData struct {
	*Receipt
	frameData
}

// Write writes the page of an order.
func (r *Receipt) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "order.html.tmpl", receiptData{r, r.Frame.data()})
}

// Words are those of the frame's buttons.
func (f Frame) Words() Words { return f.data().Words }

// Cost is the price of a product as it is read.
func (p *Paper) Cost(i Item, w Words) string {
	currency := ""
	if p.Shop != nil {
		currency = p.Shop.Currency
	}
	if price, ok := product.Price(i.Price); ok {
		return w.Money(price, currency)
	}
	return i.Price
}

// Money is an amount as it is read: with two digits or more behind the point, and the
// currency, if any.
func (w Words) Money(amount, currency string) string {
	whole, part, _ := strings.Cut(amount, ".")
	for len(part) < 2 {
		part += "0"
	}
	return strings.TrimSpace(whole + w.Point + part + " " + currency)
}
