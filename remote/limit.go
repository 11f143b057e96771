package remote

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// window is the time that the request limit counts over.
const window = time.Minute

// priority is a class of waiting calls; the lesser goes first.
type priority int

const (
	interactive priority = iota // somebody waits
	background
	priorities
)

// limiter lets at most limit calls begin within any window, a burst included.
// Background calls use half of the budget freely; the rest they use evenly
// spread and never to its end, so that a call of a person finds a place soon
// even while a long queue is sent.
type limiter struct {
	limit int // 0: none
	clock clock

	mu      sync.Mutex             // guards the fields below
	starts  []time.Time            // within the last window, oldest first
	held    time.Time              // the service asked for silence until then
	last    time.Time              // begin of the last background call
	waiting [priorities][]*waiting // in order of arrival
	stop    func() bool            // the timer for the next dispatch
}

type waiting struct {
	ready chan struct{}
	start time.Time // set when ready is closed
}

// budgetError: the wait for the budget is longer than the caller may wait.
type budgetError struct{ wait time.Duration }

func (e *budgetError) Error() string {
	return fmt.Sprintf("the next request may be sent in %s", e.wait.Round(time.Second))
}

func newLimiter(limit int, clk clock) *limiter { return &limiter{limit: limit, clock: clk} }

// acquire waits until a call may begin. Where an interactive call would wait
// for longer than most, if that is not 0, it fails at once.
func (l *limiter) acquire(ctx context.Context, p priority, most time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	now := l.clock.now()
	l.expireLocked(now)
	if p == interactive && most > 0 {
		if wait := l.estimateLocked(now).Sub(now); wait > most {
			l.mu.Unlock()
			return &budgetError{wait}
		}
	}
	w := &waiting{ready: make(chan struct{})}
	l.waiting[p] = append(l.waiting[p], w)
	l.dispatchLocked()
	l.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		l.abandon(p, w)
		return ctx.Err()
	}
}

// abandon takes back a place, granted or not.
func (l *limiter) abandon(p priority, w *waiting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting[p], w); i >= 0 {
		l.waiting[p] = slices.Delete(l.waiting[p], i, i+1)
	} else if i := slices.Index(l.starts, w.start); i >= 0 {
		l.starts = slices.Delete(l.starts, i, i+1)
	}
	l.dispatchLocked()
}

// hold lets nothing begin before until.
func (l *limiter) hold(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.held) {
		l.held = until
	}
}

// expireLocked forgets what began a window ago.
func (l *limiter) expireLocked(now time.Time) {
	n := 0
	for n < len(l.starts) && !now.Before(l.starts[n].Add(window)) {
		n++
	}
	l.starts = slices.Delete(l.starts, 0, n)
}

// dispatchLocked begins what may begin and sets the timer for what may not.
func (l *limiter) dispatchLocked() {
	now := l.clock.now()
	l.expireLocked(now)
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
	for {
		p := interactive
		if len(l.waiting[p]) == 0 {
			p = background
		}
		if len(l.waiting[p]) == 0 {
			return
		}
		at := l.nextLocked(p, now)
		if at.After(now) {
			l.stop = l.clock.afterFunc(at.Sub(now), l.dispatch)
			return
		}
		w := l.waiting[p][0]
		l.waiting[p] = l.waiting[p][1:]
		l.beginLocked(p, w, now)
	}
}

func (l *limiter) dispatch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dispatchLocked()
}

func (l *limiter) beginLocked(p priority, w *waiting, now time.Time) {
	if l.limit > 0 {
		l.starts = append(l.starts, now)
	}
	if p == background {
		l.last = now
	}
	w.start = now
	close(w.ready)
}

// nextLocked is when the next call of a class may begin.
func (l *limiter) nextLocked(p priority, now time.Time) time.Time {
	if l.limit == 0 {
		return later(now, l.held)
	}
	at := l.freeLocked(l.limit, now)
	if p == background {
		at = later(l.freeLocked(l.limit-l.limit/10, now), l.last.Add(window/time.Duration(l.limit)))
		if half := l.limit / 2; half > 0 {
			at = earlier(at, l.freeLocked(half, now))
		}
	}
	return later(at, l.held)
}

// freeLocked is when fewer than n of the calls begun lie within the window.
func (l *limiter) freeLocked(n int, now time.Time) time.Time {
	if len(l.starts) < n {
		return now
	}
	return l.starts[len(l.starts)-n].Add(window)
}

// estimateLocked is when an interactive call that arrives now could begin.
func (l *limiter) estimateLocked(now time.Time) time.Time {
	at := now
	if over := len(l.starts) + len(l.waiting[interactive]) - l.limit; l.limit > 0 && over >= 0 {
		if len(l.starts) == 0 {
			at = now.Add(window)
		} else {
			at = l.starts[over%len(l.starts)].Add(window * time.Duration(1+over/len(l.starts)))
		}
	}
	return later(at, l.held)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// budget tells how much of the limit is used.
func (l *limiter) budget() Budget {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.now()
	l.expireLocked(now)
	b := Budget{
		Limit: l.limit, Used: len(l.starts), NextFree: l.estimateLocked(now),
		Waiting: len(l.waiting[interactive]), WaitingBackground: len(l.waiting[background]),
	}
	switch {
	case b.Waiting > 0:
		b.NextStart = l.nextLocked(interactive, now)
	case b.WaitingBackground > 0:
		b.NextStart = l.nextLocked(background, now)
	}
	return b
}
