package admission

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
	slots    int
	patience time.Duration

	mu    sync.Mutex
	taken int             // guarded by mu
	turns uint64          // guarded by mu; how many lines have begun and slots were released
	lines map[int64]*line // guarded by mu; of the tenants that hold or wait for a slot
}

// line has the callers of one tenant. It is guarded by the gate's mu.
type line struct {
	held    int       // slots
	since   uint64    // the turn in which the line began or last released a slot
	waiting []*Ticket // in order of arrival
}

// NewGate returns a gate with that many slots; patience limits each wait.
func NewGate(slots int, patience time.Duration) *Gate {
	return &Gate{slots: slots, patience: patience, lines: map[int64]*line{}}
}

// Ticket returns a Ticket for one caller of a tenant, without a slot. The caller must call Leave at
// the end.
func (g *Gate) Ticket(tenant int64) *Ticket { return &Ticket{gate: g, tenant: tenant} }

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

// Ticket represents one caller of a gate.
type Ticket struct {
	gate   *Gate
	tenant int64
	held   bool          // guarded by the gate's mu
	ready  chan struct{} // closed when a waiting caller gets a slot
}

// Try takes a slot if one is free, and reports whether the caller has one.
func (t *Ticket) Try() bool {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.tryLocked()
}

// Enter waits for a slot. store.ErrSlow: none became free in time.
func (t *Ticket) Enter(ctx context.Context) error {
	if there, err := t.queue(); there || err != nil {
		return err
	}
	late := time.NewTimer(t.gate.patience)
	defer late.Stop()
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
		return t.giveUp(context.Cause(ctx))
	case <-late.C:
		return t.giveUp(fmt.Errorf("%d of these calls are already running: %w", t.gate.slots, store.ErrSlow))
	}
}

// Leave releases the slot, if the caller has one. It may be called repeatedly, and on nil.
func (t *Ticket) Leave() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !t.held {
		return
	}
	t.held = false
	g.taken--
	g.turns++
	l := g.lines[t.tenant]
	l.held, l.since = l.held-1, g.turns
	g.tidyLocked(t.tenant)
	if next := g.nextLocked(); next != nil {
		next.tryLocked()
		close(next.ready)
	}
}

// queue takes a slot if one is free, or else joins the end of the tenant's line.
func (t *Ticket) queue() (there bool, err error) {
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.tryLocked() {
		return true, nil
	}
	l := g.lineLocked(t.tenant)
	if len(l.waiting) >= mostWaiting {
		return false, fmt.Errorf("%d of these calls are already waiting: %w", mostWaiting, store.ErrSlow)
	}
	t.ready = make(chan struct{})
	l.waiting = append(l.waiting, t)
	return false, nil
}

// giveUp leaves the line, unless the caller has got a slot in the meantime.
func (t *Ticket) giveUp(why error) error {
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.held {
		return nil
	}
	l := g.lines[t.tenant]
	l.waiting = slices.DeleteFunc(l.waiting, func(other *Ticket) bool { return other == t })
	g.tidyLocked(t.tenant)
	return why
}

func (t *Ticket) tryLocked() bool {
	g := t.gate
	if t.held || g.taken == g.slots {
		return t.held
	}
	g.taken++
	g.lineLocked(t.tenant).held++
	t.held = true
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
func (g *Gate) nextLocked() *Ticket {
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
