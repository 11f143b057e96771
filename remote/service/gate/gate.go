// Package gate lets only so much that takes long go on at once, so that there is always
// room for what does not: each of it has a connection to the records for its time.
//
//   - [Gate] has so many places.
//   - [Place] is what one caller has, or waits for.
//
// A caller takes a place before a connection. A caller that has a connection only tries
// for a place, and gives the connection back before it waits for one: otherwise those
// who wait would hold the connections that the gate keeps free.
//
// # Invariants
//
//   - A place that comes free goes to the tenant that has the fewest, of several to the
//     one that last had one, or came, longest ago: however many calls of one tenant wait,
//     the first of another waits for one of them at the most, beside those that go on.
//   - Where anybody waits, no place is free.
package gate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

// mostWaiting is how many callers of one tenant wait. There is no place in time for more.
const mostWaiting = 1000

// Gate is used by any number of callers.
type Gate struct {
	places   int
	patience time.Duration

	mu    sync.Mutex
	taken int             // guarded by mu
	turns uint64          // guarded by mu; lines that began and places that were left, so far
	lines map[int64]*line // guarded by mu; of the tenants that have a place or wait for one
}

// line is the callers of a tenant, guarded by the gate's mu.
type line struct {
	held    int      // places
	since   uint64   // the turn in which it began, or last left a place
	waiting []*Place // who came first is first
}

// New makes a gate of so many places, for which each waits so long.
func New(places int, patience time.Duration) *Gate {
	return &Gate{places: places, patience: patience, lines: map[int64]*line{}}
}

// Place returns the part of one caller of a tenant, which has no place yet and calls Leave
// at the end.
func (g *Gate) Place(tenant int64) *Place { return &Place{gate: g, tenant: tenant} }

// Waiting is how many wait.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, l := range g.lines {
		n += len(l.waiting)
	}
	return n
}

// Place is one caller's part of a gate.
type Place struct {
	gate   *Gate
	tenant int64
	held   bool          // guarded by the gate's mu
	ready  chan struct{} // closed when one who waits is given a place
}

// Try takes a place where one is free, and reports whether the caller has one.
func (p *Place) Try() bool {
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	return p.tryLocked()
}

// Enter waits for a place. store.ErrSlow: none came free in time.
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
		return p.giveUp(fmt.Errorf("%d of the kind go on already: %w", p.gate.places, store.ErrSlow))
	}
}

// Leave gives the place to another. It may be called again, without a place, and of nil.
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

// queue takes a place where one is free, and else the last place of its tenant's line.
func (p *Place) queue() (there bool, err error) {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.tryLocked() {
		return true, nil
	}
	l := g.lineLocked(p.tenant)
	if len(l.waiting) >= mostWaiting {
		return false, fmt.Errorf("%d of the kind wait already: %w", mostWaiting, store.ErrSlow)
	}
	p.ready = make(chan struct{})
	l.waiting = append(l.waiting, p)
	return false, nil
}

// giveUp leaves the line. Whose turn came meanwhile has its place.
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

// nextLocked takes from its line whose turn it is; nil where nobody waits.
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

// before reports whether it is a line's turn before that of another.
func (l *line) before(other *line) bool {
	if l.held != other.held {
		return l.held < other.held
	}
	return l.since < other.since
}

// tidyLocked forgets a line that has nothing.
func (g *Gate) tidyLocked(tenant int64) {
	if l := g.lines[tenant]; l.held == 0 && len(l.waiting) == 0 {
		delete(g.lines, tenant)
	}
}
