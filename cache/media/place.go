package media

import (
	"context"
	"slices"
	"sync/atomic"

	"paperfs/cache/media/lock"
)

// place is one name of one directory, whatever stands there and in whichever
// case.
type place struct {
	dir  Ino
	name string // folded
}

// places are locks of names, so that one thing at a time happens at a place
// of the service while different places go on at the same time.
type places struct {
	late atomic.Int32 // how many of those who hold some are late

	mu   lock.Mutex[lock.Places]
	held map[place]*hold // guarded by mu
}

// hold is some places that somebody has locked.
type hold struct {
	late bool          // guarded by places.mu: nobody waits for the change any more
	over bool          // guarded by places.mu
	done chan struct{} // closed when they are let go
}

func (p *places) init() { p.held = make(map[place]*hold) }

// lock takes places, all or none at a time, and returns what lets them go.
func (p *places) lock(wanted ...place) (unlock func()) {
	unlock, _ = p.lockFor(context.Background(), wanted...) // which does not end
	return unlock
}

// lockLate is lock for a change that nobody waits for.
func (p *places) lockLate(wanted ...place) (unlock func()) {
	unlock, _ = p.lockFor(late(context.Background()), wanted...)
	return unlock
}

// lockFor is lock for a change whose caller may leave: while it waits, that ends
// it.
func (p *places) lockFor(ctx context.Context, wanted ...place) (unlock func(), err error) {
	h := &hold{done: make(chan struct{})}
	for !p.take(h, wanted) {
		if err := p.awaitOne(ctx, wanted, func(*hold) bool { return true }); err != nil {
			return nil, ErrLeft
		}
	}
	callerOf(ctx).onLeave(func() { p.setLate(h) })
	return func() { p.letGo(h, wanted) }, nil
}

// take takes places for h, unless one of them is held.
func (p *places) take(h *hold, wanted []place) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range wanted {
		if p.held[w] != nil {
			return false
		}
	}
	for _, w := range wanted {
		p.held[w] = h
	}
	return true
}

func (p *places) setLate(h *hold) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !h.over && !h.late {
		h.late = true
		p.late.Add(1)
	}
}

func (p *places) letGo(h *hold, wanted []place) {
	p.mu.Lock()
	for _, w := range wanted {
		delete(p.held, w)
	}
	h.over = true
	if h.late {
		p.late.Add(-1)
	}
	p.mu.Unlock()
	close(h.done)
}

// awaitOne waits until one of some places that is held by whom counts is let go,
// if there is one.
func (p *places) awaitOne(ctx context.Context, some []place, counts func(*hold) bool) error {
	p.mu.Lock()
	var h *hold
	for _, at := range some {
		if other := p.held[at]; other != nil && counts(other) {
			h = other
		}
	}
	p.mu.Unlock()
	if h == nil {
		return ctx.Err()
	}
	select {
	case <-h.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// awaitLate waits until no late change has the places.
func (p *places) awaitLate(ctx context.Context, some ...place) error {
	for p.late.Load() > 0 && p.anyLate(some) {
		if err := p.awaitOne(ctx, some, func(h *hold) bool { return h.late }); err != nil {
			return err
		}
	}
	return nil
}

func (p *places) anyLate(some []place) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(some, func(at place) bool { return p.held[at] != nil && p.held[at].late })
}
