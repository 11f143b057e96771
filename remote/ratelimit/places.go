package ratelimit

import (
	"context"
	"slices"
	"time"
)

// Places are calls that may begin one right after the other. From when they are granted until
// they begin they take up their part of the limit, for longer than a [Window] too. A call counts in the
// window of the moment in which it begins.
type Places struct {
	l *Limiter
	w *waiting
}

// AcquireAll waits until so many calls may begin one right after the other, or as many as the limit
// lets begin. A caller that makes fewer calls gives the others back.
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

// Begin counts a call that begins now. It returns false if its place is lost: then the call waits for
// another one.
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

// GiveBack takes back the calls that have not begun.
func (p *Places) GiveBack() {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.l.takeLocked(p.w, p.w.calls)
	p.w.calls = 0
	p.l.dispatchLocked()
}

// holdLocked keeps the places of calls that have not begun: they are granted again when they expire. They are
// lost instead where they leave no place for another call: one may wait for it before they begin.
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
