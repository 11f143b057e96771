package lock

import (
	"reflect"
	"slices"
)

// Rank is the position of a lock in the order: that of its name in Order.
type Rank interface{ ranked() }

type rank struct{}

func (rank) ranked() {}

// The ranks, in order: a goroutine that holds a lock takes only locks of later ranks. It may
// hold several of rank Body.
type (
	Load     struct{ rank } // a download of a file's content, or a Send of a PDF
	Body     struct{ rank } // the local content of a file; several of files in order of inode number
	Failures struct{ rank } // what is in failed/
	Flights  struct{ rank } // which GetTree is in progress
	Store    struct{ rank } // the tree, and everything else that has no lock of its own
	Outbox   struct{ rank } // the queue
	Table    struct{ rank } // what is to be written to the database, its log and its reserve
	Reading  struct{ rank } // what is here of contents that are read
	Contents struct{ rank } // which published content is cached
	Names    struct{ rank } // which names are locked
)

// Order has the names of the ranks, in order.
var Order = []string{
	"Load", "Body", "Failures", "Flights", "Store", "Outbox", "Table", "Reading", "Contents", "Names",
}

// rankOf returns the place of R in Order.
func rankOf[R Rank]() int { return slices.Index(Order, reflect.TypeFor[R]().Name()) }

// several is the rank of which a goroutine may hold several locks.
var several = rankOf[Body]()
