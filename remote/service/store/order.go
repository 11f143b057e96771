package store

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Order is what a reader of a paper ordered.
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
	Price       string // decimal with a point, of one piece
	Amount      int64
}

// OrderReader finds orders.
type OrderReader interface {
	// Orders visits the orders of papers since a time (included): by paper in the
	// order given, oldest first. An empty checkout type stands for all.
	Orders(papers []int64, checkoutType string, since time.Time, visit func(Order) error) error
	// PapersWithOrders returns the papers of a tenant that Orders would find
	// something for.
	PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error)
	// OrderByKey returns the order that AddOrder added to a paper with a key;
	// ErrNotFound for none.
	OrderByKey(paper int64, key string) (Order, error)
	// CountOrders counts the orders since a time (included) of a paper, and of its
	// tenant, those of papers that are gone among them.
	CountOrders(tenant, paper int64, since time.Time) (ofPaper, ofTenant int, err error)
}

// OrderWriter changes orders.
type OrderWriter interface {
	// PutOrder adds an order, or replaces that of the same id, whose key stays. ErrTaken: the
	// order of that id belongs to another paper, which is still there.
	PutOrder(tenant int64, o Order) error
	// AddOrder adds an order with its key, and replaces none. ErrTaken: the tenant has
	// an order of that id, or the paper one with that key; the change has failed then.
	AddOrder(tenant int64, o Order, key string) error
}

// Total sums price by amount exactly: a decimal with a point, without zeros at its end.
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
