// Package gate limits how many slow calls run at a time, so that there is always room for fast
// ones: each slow call holds a connection to the records.
//
//   - [Gate] has a fixed number of slots.
//   - [Place] represents one caller, with or without a slot.
//
// A caller takes a slot before a connection. A caller that already has a connection may only Try,
// and must release the connection before it waits with Enter: otherwise waiting callers would
// hold the connections that the gate is meant to keep free.
//
// # Invariants
//
//   - A free slot goes to the tenant that holds the fewest; among equals to the one that
//     released a slot, or arrived, longest ago. So however many calls of one tenant wait,
//     the first call of another tenant waits for at most one of them, in addition to those
//     that run.
//   - While a caller waits, no slot is free.
package gate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

// mostWaiting is how many callers of one tenant may wait. More would not get a slot in time.
const mostWaiting = 1000

// Gate may be used by any number of goroutines.
type Gate struct {
	places   int
	patience time.Duration

	mu    sync.Mutex
	taken int             // guarded by mu
	turns uint64          // guarded by mu; how many lines have begun and slots were released
	lines map[int64]*line // guarded by mu; of the tenants that hold or wait for a slot
}

// line has the callers of one tenant. It is guarded by the gate's mu.
type line struct {
	held    int      // slots
	since   uint64   // the turn in which the line began or last released a slot
	waiting []*Place // in order of arrival
}

// New returns a gate with that many slots; patience limits each wait.
func New(places int, patience time.Duration) *Gate {
	return &Gate{places: places, patience: patience, lines: map[int64]*line{}}
}

// Place returns a Place for one caller of a tenant, without a slot. The caller must call Leave at
// the end.
func (g *Gate) Place(tenant int64) *Place { return &Place{gate: g, tenant: tenant} }

// Waiting returns how many callers wait.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, l := range g.lines {
		n += len(l.waiting)
	}
	return n
}

// Place represents one caller of a gate.
type Place struct {
	gate   *Gate
	tenant int64
	held   bool          // guarded by the gate's mu
	ready  chan struct{} // closed when a waiting caller gets a slot
}

// Try takes a slot if one is free, and reports whether the caller has one.
func (p *Place) Try() bool {
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	return p.tryLocked()
}

// Enter waits for a slot. store.ErrSlow: none became free in time.
func (p *Place) Enter(ctx context.Context) error {
	if there, err := p.queue(); there || err != nil {
		return err
	}
	late := time.NewTimer(p.gate.patience)
	defer late.Stop()
	select {
	case <-p.ready:
		return nil
	case <-ctx.Done():
		return p.giveUp(context.Cause(ctx))
	case <-late.C:
		return p.giveUp(fmt.Errorf("%d of these calls are already running: %w", p.gate.places, store.ErrSlow))
	}
}

// Leave releases the slot, if the caller has one. It may be called repeatedly, and on nil.
func (p *Place) Leave() {
	if p == nil {
		return
	}
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !p.held {
		return
	}
	p.held = false
	g.taken--
	g.turns++
	l := g.lines[p.tenant]
	l.held, l.since = l.held-1, g.turns
	g.tidyLocked(p.tenant)
	if next := g.nextLocked(); next != nil {
		next.tryLocked()
		close(next.ready)
	}
}

// queue takes a slot if one is free, or else joins the end of the tenant's line.
func (p *Place) queue() (there bool, err error) {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.tryLocked() {
		return true, nil
	}
	l := g.lineLocked(p.tenant)
	if len(l.waiting) >= mostWaiting {
		return false, fmt.Errorf("%d of these calls are already waiting: %w", mostWaiting, store.ErrSlow)
	}
	p.ready = make(chan struct{})
	l.waiting = append(l.waiting, p)
	return false, nil
}

// giveUp leaves the line, unless the caller has got a slot in the meantime.
func (p *Place) giveUp(why error) error {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.held {
		return nil
	}
	l := g.lines[p.tenant]
	l.waiting = slices.DeleteFunc(l.waiting, func(other *Place) bool { return other == p })
	g.tidyLocked(p.tenant)
	return why
}

func (p *Place) tryLocked() bool {
	g := p.gate
	if p.held || g.taken == g.places {
		return p.held
	}
	g.taken++
	g.lineLocked(p.tenant).held++
	p.held = true
	return true
}

func (g *Gate) lineLocked(tenant int64) *line {
	if g.lines[tenant] == nil {
		g.turns++
		g.lines[tenant] = &line{since: g.turns}
	}
	return g.lines[tenant]
}

// nextLocked removes the next caller from its line; nil if none waits.
func (g *Gate) nextLocked() *Place {
	var first *line
	for _, l := range g.lines {
		if len(l.waiting) > 0 && (first == nil || l.before(first)) {
			first = l
		}
	}
	if first == nil {
		return nil
	}
	next := first.waiting[0]
	first.waiting = slices.Delete(first.waiting, 0, 1)
	return next
}

// before reports whether this line comes before another.
func (l *line) before(other *line) bool {
	if l.held != other.held {
		return l.held < other.held
	}
	return l.since < other.since
}

// tidyLocked deletes an empty line.
func (g *Gate) tidyLocked(tenant int64) {
	if l := g.lines[tenant]; l.held == 0 && len(l.waiting) == 0 {
		delete(g.lines, tenant)
	}
}
