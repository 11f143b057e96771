package store

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Order is what a reader ordered from a paper.
type Order struct {
	ID           string // unique within the tenant, case-sensitive
	Paper        int64
	Date         time.Time // UTC, to the second
	CheckoutType string
	Lines        []OrderLine
}

// OrderLine is one product of an order.
type OrderLine struct {
	ProductID   string
	Name        string
	Description string
	Price       string // decimal with a point, per piece
	Amount      int64
}

// OrderReader finds orders.
type OrderReader interface {
	// Orders visits the orders of papers since a time (inclusive): in the order of papers, oldest
	// first. An empty checkout type matches all.
	Orders(papers []int64, checkoutType string, since time.Time, visit func(Order) error) error
	// PapersWithOrders returns the papers of a tenant for which Orders would find any.
	PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error)
	// OrderByKey returns the order that AddOrder added to a paper with a key; ErrNotFound if
	// there is none.
	OrderByKey(paper int64, key string) (Order, error)
	// CountOrders counts the orders since a time (inclusive) of a paper and of its tenant. The
	// tenant's count includes orders of removed papers.
	CountOrders(tenant, paper int64, since time.Time) (ofPaper, ofTenant int, err error)
}

// OrderWriter changes orders.
type OrderWriter interface {
	// PutOrder adds an order or replaces the one with the same id; a replaced order keeps its
	// key. ErrTaken: the order belongs to another paper that still exists.
	PutOrder(tenant int64, o Order) error
	// AddOrder adds an order with its key and never replaces one. ErrTaken: the tenant has an
	// order with that id, or the paper has one with that key; the whole change has failed then.
	AddOrder(tenant int64, o Order, key string) error
}

// Total returns the exact sum of price times amount as a decimal with a point, without trailing
// zeros.
func (o Order) Total() (string, error) {
	total := new(big.Rat)
	digits := 0
	for _, l := range o.Lines {
		price, ok := new(big.Rat).SetString(l.Price)
		if !ok {
			return "", fmt.Errorf("order %s: price %q in the store", o.ID, l.Price)
		}
		if _, fraction, found := strings.Cut(l.Price, "."); found {
			digits = max(digits, len(fraction))
		}
		total.Add(total, price.Mul(price, new(big.Rat).SetInt64(l.Amount)))
	}
	text := total.FloatString(digits)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text, nil
}
