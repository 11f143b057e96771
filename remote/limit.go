package remote

import (
	"context"
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
	full  int // 0: none
	clock clock

	mu      sync.Mutex             // guards the fields below
	limit   int                    // full, or less for a while after the service refused more
	changed time.Time              // when limit was lowered, or raised again
	starts  []time.Time            // within the last window, oldest first
	held    time.Time              // the service asked for silence until then
	last    time.Time              // begin of the last background call
	waiting [priorities][]*waiting // in order of arrival
	stop    func() bool            // the timer for the next dispatch
}

type waiting struct {
	ready chan struct{}
	until time.Time     // when its patience ends; zero: never
	most  time.Duration // its patience
	start time.Time     // set when ready is closed, or else err
	err   error
}

func newLimiter(limit int, clk clock) *limiter {
	return &limiter{full: limit, limit: limit, clock: clk}
}

// acquire waits until a call may begin. Where an interactive call would wait
// for longer than most, if that is not 0, it fails as soon as that is known.
func (l *limiter) acquire(ctx context.Context, p priority, most time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w, err := l.enter(p, most)
	if err != nil {
		return err
	}
	select {
	case <-w.ready:
		return w.err
	case <-ctx.Done():
		l.abandon(p, w)
		return ctx.Err()
	}
}

// enter puts a call in its place in the queue.
func (l *limiter) enter(p priority, most time.Duration) (*waiting, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.now()
	l.expireLocked(now)
	w := &waiting{ready: make(chan struct{})}
	if p == interactive && most > 0 {
		w.most, w.until = most, now.Add(most)
		if at := l.estimateLocked(now, len(l.waiting[p])); at.After(w.until) {
			return nil, l.refusalLocked(now, at, most)
		}
	}
	l.waiting[p] = append(l.waiting[p], w)
	l.dispatchLocked()
	return w, nil
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

// expireLocked forgets what began a window ago.
func (l *limiter) expireLocked(now time.Time) {
	n := 0
	for n < len(l.starts) && !now.Before(l.starts[n].Add(window)) {
		n++
	}
	l.starts = slices.Delete(l.starts, 0, n)
	l.recoverLocked(now)
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
