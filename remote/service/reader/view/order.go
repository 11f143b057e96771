package view

import (
	"fmt"
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
	Type   string  `json:"type"`
	To     Address `json:"to,omitempty"`     // address to follow, or to send the basket to
	Basket string  `json:"basket,omitempty"` // the order as XML
	Text   string  `json:"text,omitempty"`   // the order for whoever has no program that opens To
	Shop   string  `json:"shop,omitempty"`   // where the shop is reached then
}

// Label says what the handover does.
func (h Handover) Label(w Words) string { return w.Handovers[h.Type] }

// Then says what happens after it.
func (h Handover) Then(w Words) string { return w.Thens[h.Type] }

// Write writes the page of an order.
func (r *Receipt) Write(w io.Writer) error {
	d := r.document()
	d.beginOwn(&r.Frame)
	d.Line(`<title>{}{}</title>`, d.Basket, with(": {}", r.Title))
	d.tab(&r.Frame)
	d.look(&r.Frame, "reader.css", "shop.css")
	d.body(&r.Frame, "")
	d.Line(`<main class="receipt">`)
	if r.Name != "" {
		d.Line(`<h1 lang="{}" dir="auto">{}</h1>`, r.language(), r.Name)
	} else {
		d.Line(`<h1>{}</h1>`, d.Basket)
	}
	if r.Refused != "" {
		d.Line(`<p role="alert"><strong>{}</strong></p>`, r.Refused)
	}
	if r.ID != "" {
		r.handover(d)
	}
	r.lines(d)
	if r.Key != "" {
		r.confirm(d)
	}
	if r.Handover.Shop != "" {
		d.Line(`<p>{} <strong>{}</strong></p>`, d.ByHand, r.Handover.Shop)
	}
	if r.Name != "" {
		d.Line(`<p><a class="button" href="./{}">{}</a></p>`, r.Query, d.BackToPages)
	}
	d.Line(`</main>
</body>
</html>
`)
	return d.flush(w)
}

// lines has the products, and what they cost.
func (r *Receipt) lines(d *document) {
	if len(r.Lines) == 0 {
		return
	}
	d.Line(`<ol>`)
	for _, l := range r.Lines {
		d.Line(`<li>{} × <bdi>{}</bdi> (<bdi>{}</bdi>): {}</li>`, l.Amount, l.Name, l.ID, d.Money(l.Price, r.Shop.Currency))
	}
	d.Line(`</ol>
<p class="total">{}: <strong>{}</strong></p>`, d.Words.Total, d.Money(r.Total, r.Shop.Currency))
}

// confirm has the form that orders.
func (r *Receipt) confirm(d *document) {
	d.Line(`<form method="post" action="Order.ashx{}">
<input type="hidden" name="key" value="{}"><input type="hidden" name="language" value="{}">`, r.Query, r.Key, d.Tag)
	for _, l := range r.Lines {
		d.Line(`<input type="hidden" name="productId" value="{}"><input type="hidden" name="price" value="{}"><input type="hidden" name="amount" value="{}">`, l.ID, l.Price, l.Amount)
	}
	d.Line(`<p>{}</p>`, d.OrderNote)
	for _, c := range r.Shop.Checkouts {
		d.Line(`<button class="go" name="checkoutType" value="{}">{}</button>`, c.Type, c.Label(d.Words))
	}
	d.Line(`</form>`)
}

// handover says which step is left, and leads there. Nobody can know whether a message was sent, or a form: the page
// thanks for nothing, the shop does.
func (r *Receipt) handover(d *document) {
	h := r.Handover
	d.Line(`<h2>{}</h2>
<p>{}</p>`, d.OneStep, h.Then(d.Words))
	if h.Basket != "" {
		d.Line(`<form method="post" action="{}"><input type="hidden" name="basket" value="{}"><button class="go">{}</button></form>`, h.To, h.Basket, h.Label(d.Words))
	} else if h.To != "" {
		d.Line(`<p><a class="button go" href="{}">{}</a></p>`, h.To, h.Label(d.Words))
	}
	d.Line(`<p role="status"><strong>{}</strong></p>`, fmt.Sprintf(d.Ordered, r.ID))
}
