package reader

import (
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// Bounds of an order.
const (
	orderBytes = 16 << 10 // of the form
	orderLines = 200
	mostAmount = 9_999
)

// orderForm is an order as the reader sends it.
type orderForm struct {
	checkout, key string // "" in an order that needs confirmation
	lines         []orderLine
}

type orderLine struct {
	id, price string // the price that the reader saw
	amount    int64
	found     property.Product // preferably with that price; the zero Product if not found
}

// parseOrder reads a form. It returns false for a form that a paper's page cannot have sent.
func parseOrder(form url.Values) (o orderForm, ok bool) {
	o.checkout = form.Get("checkoutType")
	ids, amounts, prices := form["productId"], form["amount"], form["price"]
	if len(ids) == 0 || len(ids) > orderLines || len(amounts) != len(ids) || len(prices) != len(ids) {
		return o, false
	}
	if form.Get("key") != "" || o.checkout != "" {
		if o.key, ok = rules.GUID(form.Get("key")); !ok {
			return o, false
		}
	}
	for i, id := range ids {
		amount, err := strconv.ParseInt(amounts[i], 10, 32)
		price, ok := property.Price(prices[i])
		if err != nil || amount < 1 || amount > mostAmount || !ok || id == "" {
			return o, false
		}
		o.lines = append(o.lines, orderLine{id: id, price: price, amount: amount})
	}
	return o, true
}

// find finds the products of an order among the paper's links, which determine names and
// prices. It returns the current prices of products whose price differs from the one that
// the reader saw, "" for a product that cannot be ordered; nil if all prices match.
func (o *orderForm) find(tx store.Reader, paper int64) (changed map[string]string, err error) {
	wanted := map[string][]*orderLine{}
	for i := range o.lines {
		l := &o.lines[i]
		wanted[l.id] = append(wanted[l.id], l)
	}
	missing := len(o.lines)
	err = tx.EachLink(paper, func(l store.Link) error {
		if l.LinkType != "shopitem" {
			return nil
		}
		p := productOf(l)
		for _, line := range wanted[p.ID] {
			switch {
			case p.Price == "" || line.found.ID != "" && line.found.Price == line.price:
			case p.Price == line.price:
				line.found = p
				missing--
			case line.found.ID == "":
				line.found = p
			}
		}
		if missing == 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return nil, nil
	}
	changed = map[string]string{}
	for _, l := range o.lines {
		if l.found.ID == "" || l.found.Price != l.price {
			changed[l.id] = l.found.Price
		}
	}
	return changed, err
}

// productOf returns the product that a link shows.
func productOf(l store.Link) property.Product {
	p := property.ParseProductFragment(l.Param)
	if p.Name == "" {
		p.Name = strings.TrimSpace(l.AltText)
	}
	return p
}
