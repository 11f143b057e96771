package store

import "time"

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
}

// OrderWriter changes orders.
type OrderWriter interface {
	// PutOrder adds an order, or replaces that of the same id. ErrTaken: the
	// order of that id belongs to another paper, which is still there.
	PutOrder(tenant int64, o Order) error
}
