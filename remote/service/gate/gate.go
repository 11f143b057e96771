// Package gate lets only so much that takes long go on at once, so that there is always
// room for what does not: each of it has a connection to the records for its time.
//
//   - [Gate] has so many places.
//   - [Place] is what one caller has, or waits for.
//
// A caller takes a place before a connection. A caller that has a connection only tries
// for a place, and gives the connection back before it waits for one: otherwise those
// who wait would hold the connections that the gate keeps free.
package gate

import (
	"context"
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

// Gate is used by any number of callers.
type Gate struct {
	taken    chan struct{} // holds one for each place that is taken
	patience time.Duration
}

// New makes a gate of so many places, for which each waits so long.
func New(places int, patience time.Duration) *Gate {
	return &Gate{taken: make(chan struct{}, places), patience: patience}
}

// Place returns the part of one caller, which has no place yet and calls Leave at the end.
func (g *Gate) Place() *Place { return &Place{gate: g} }

// Place is one caller's part of a gate.
type Place struct {
	gate *Gate
	held bool
}

// Try takes a place where one is free, and reports whether the caller has one.
func (p *Place) Try() bool {
	if p.held {
		return true
	}
	select {
	case p.gate.taken <- struct{}{}:
		p.held = true
	default:
	}
	return p.held
}

// Enter waits for a place. store.ErrSlow: none came free in time.
func (p *Place) Enter(ctx context.Context) error {
	if p.Try() {
		return nil
	}
	late := time.NewTimer(p.gate.patience)
	defer late.Stop()
	select {
	case p.gate.taken <- struct{}{}:
		p.held = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-late.C:
		return fmt.Errorf("%d of the kind go on already: %w", cap(p.gate.taken), store.ErrSlow)
	}
}

// Leave gives the place to another. It may be called again, and without a place.
func (p *Place) Leave() {
	if p.held {
		p.held = false
		<-p.gate.taken
	}
}
