package reconcile

import (
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/waiter"
)

// Reconciler keeps the tree as the service has it. It is safe for concurrent use.
type Reconciler struct {
	o       *option.Options
	names   *names.Tree
	Flights waiter.Flights
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree) *Reconciler {
	r := &Reconciler{o: o, names: names}
	r.Flights.Now = names.Aging
	return r
}
