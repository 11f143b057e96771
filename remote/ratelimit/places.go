package ratelimit

import (
	"context"
	"slices"
	"time"
)

// Places are granted calls that may begin one right after the other. A granted call counts against
// the limit until it begins, even for longer than a [Window]. From then on it counts in the window
// in which it began.
type Places struct {
	l *Limiter
	w *waiting
}

// AcquireAll waits until so many calls may begin one right after the other, or as many as the limit
// allows. The caller must call GiveBack for the calls that it does not make.
func (l *Limiter) AcquireAll(ctx context.Context, p Class, calls int) (*Places, error) {
	w, err := l.acquire(ctx, p, 0, &waiting{calls: calls, places: true})
	if err != nil {
		return nil, err
	}
	return &Places{l, w}, nil
}

// Left returns how many of the calls have not begun.
func (p *Places) Left() int {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	return p.w.calls
}

// Begin counts a call that begins now. It returns false if the place of the call was lost: the call
// must then wait for another place.
func (p *Places) Begin() bool {
	l := p.l
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	l.expireLocked(now)
	if p.w.calls == 0 {
		return false
	}
	l.takeLocked(p.w, 1)
	p.w.calls--
	if l.limit > 0 {
		l.starts = append(l.starts, now)
		l.past.add(now)
	}
	l.dispatchLocked()
	return true
}

// GiveBack gives up the calls that have not begun.
func (p *Places) GiveBack() {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.l.takeLocked(p.w, p.w.calls)
	p.w.calls = 0
	p.l.dispatchLocked()
}

// holdLocked grants the places of calls that have not begun again when they expire. If they take up
// the whole limit, they are lost instead: the caller may be waiting for another call first.
func (l *Limiter) holdLocked(now time.Time) {
	l.granted = slices.DeleteFunc(l.granted, func(w *waiting) bool { return w.calls == 0 })
	held := 0
	for _, w := range l.granted {
		held += w.calls
		if now.Before(w.start.Add(Window)) {
			continue
		}
		l.takeLocked(w, w.calls)
		if held >= l.limit {
			held -= w.calls
			w.calls = 0
			continue
		}
		w.start = now
		for range w.calls {
			l.starts = append(l.starts, now)
		}
	}
}
