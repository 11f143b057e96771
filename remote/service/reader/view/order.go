package view

import (
	"html/template"
	"io"
)

// Receipt is the result of an order: recorded (ID is set), to be confirmed (Key is set) or
// refused (Refused is set). A script gets it as JSON. The page of an order for a paper that is
// not at its address has a Frame without a name.
type Receipt struct {
	Frame    `json:"-"`
	Shop     *Shop             `json:"-"`
	Query    string            `json:"-"` // of the paper's address
	Key      string            `json:"-"`
	Lines    []ReceiptLine     `json:"-"`
	ID       string            `json:"orderId,omitempty"`
	Date     string            `json:"date,omitempty"`
	Total    string            `json:"total,omitempty"`
	Handover Handover          `json:"handover,omitzero"`
	Refused  string            `json:"refused,omitempty"` // the reason, in the reader's language
	Prices   map[string]string `json:"prices,omitempty"`  // changed prices by product; "" for one that cannot be ordered
}

// ReceiptLine is a product of an order.
type ReceiptLine struct {
	ID, Name, Price string
	Amount          int64
}

// Handover is what a browser does with a recorded order.
type Handover struct {
	Type   string       `json:"type"`
	To     template.URL `json:"to,omitempty"`     // address to follow, or to send the basket to
	Basket string       `json:"basket,omitempty"` // the order as XML
}

// Label says what the handover does.
func (h Handover) Label(w Words) string { return w.Handovers[h.Type] }

// Then says what happens after it.
func (h Handover) Then(w Words) string { return w.Thens[h.Type] }

type receiptData struct {
	*Receipt
	frameData
}

// Write writes the page of an order.
func (r *Receipt) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "order.html.tmpl", receiptData{r, r.Frame.data()})
}
