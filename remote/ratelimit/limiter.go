package ratelimit

import (
	"context"
	"slices"
	"sync"
	"time"

	"paperfs/remote/clock"
)

// Window is the time over which the request limit counts.
const Window = time.Minute

// Class is a class of waiting calls; the lower one goes first.
type Class int

// The classes.
const (
	Interactive Class = iota // somebody waits
	Background
	classes
)

// Limiter lets at most limit calls begin within any Window, bursts included. Background
// calls use half of the budget freely. They spread the rest evenly and never use all of
// it, so that a person's call gets a place soon even during a long queue.
type Limiter struct {
	clock clock.Clock
	past  *record // nil: none is kept

	mu      sync.Mutex          // guards the fields below
	full    int                 // 0: none
	limit   int                 // full, or less for a while after the service has refused a call
	changed time.Time           // when limit last changed
	starts  []time.Time         // within the last Window, oldest first
	held    time.Time           // the service asked for no calls until then
	last    time.Time           // when the last background call began
	waiting [classes][]*waiting // in order of arrival
	granted []*waiting          // of AcquireAll, whose calls have not all begun
	stop    func() bool         // stops the timer of the next dispatch
}

type waiting struct {
	calls  int  // calls that begin together
	places bool // the calls of Places; those that have begun are not among calls
	ready  chan struct{}
	until  time.Time     // deadline for its begin; zero: none
	most   time.Duration // longest wait
	start  time.Time     // start or err is set when ready is closed
	err    error
}

// New returns a limiter; a limit of 0 means no limit.
func New(limit int, clk clock.Clock) *Limiter {
	return &Limiter{full: limit, limit: limit, clock: clk}
}

// Open is New, but also counts the calls of earlier limiters with the same file. Only one limiter at a
// time may have the file. If the file cannot be opened, the limiter works without those calls.
func Open(limit int, clk clock.Clock, file string) (*Limiter, error) {
	l := New(limit, clk)
	if limit == 0 {
		return l, nil
	}
	var err error
	l.past, l.starts, err = openRecord(file, clk.Now())
	return l, err
}

// SetLimit sets another limit, as the service tells it; 0 means none.
func (l *Limiter) SetLimit(limit int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limit != l.full {
		l.full, l.limit, l.changed = limit, limit, l.clock.Now()
		l.dispatchLocked()
	}
}

// Close closes the file of Open, which does not record later calls.
func (l *Limiter) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	past := l.past
	l.past = nil
	return past.close()
}

// Acquire waits until a call may begin. If most is not 0, an interactive call that would
// wait for longer fails as soon as that is known.
func (l *Limiter) Acquire(ctx context.Context, p Class, most time.Duration) error {
	_, err := l.acquire(ctx, p, most, &waiting{calls: 1})
	return err
}

func (l *Limiter) acquire(ctx context.Context, p Class, most time.Duration, w *waiting) (*waiting, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := l.enter(p, most, w); err != nil {
		return nil, err
	}
	select {
	case <-w.ready:
		return w, w.err
	case <-ctx.Done():
		l.abandon(p, w)
		return nil, ctx.Err()
	}
}

// enter puts a call in its place in the queue.
func (l *Limiter) enter(p Class, most time.Duration, w *waiting) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	l.expireLocked(now)
	w.ready = make(chan struct{})
	if p == Interactive && most > 0 {
		w.most, w.until = most, now.Add(most)
		if at := l.estimateLocked(now, callsOf(l.waiting[p])); at.After(w.until) {
			return l.refusalLocked(now, at, most)
		}
	}
	l.waiting[p] = append(l.waiting[p], w)
	l.dispatchLocked()
	return nil
}

// abandon gives up a place in the queue, or a granted call.
func (l *Limiter) abandon(p Class, w *waiting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting[p], w); i >= 0 {
		l.waiting[p] = slices.Delete(l.waiting[p], i, i+1)
	} else {
		l.takeLocked(w, w.calls)
		w.calls = 0
	}
	l.dispatchLocked()
}

// takeLocked forgets calls that began with w.
func (l *Limiter) takeLocked(w *waiting, calls int) {
	for range calls {
		if i := slices.Index(l.starts, w.start); i >= 0 {
			l.starts = slices.Delete(l.starts, i, i+1)
		}
	}
}

// expireLocked removes calls that began a window ago.
func (l *Limiter) expireLocked(now time.Time) {
	l.holdLocked(now)
	n := 0
	for n < len(l.starts) && !now.Before(l.starts[n].Add(Window)) {
		n++
	}
	l.starts = slices.Delete(l.starts, 0, n)
	l.recoverLocked(now)
}

// dispatchLocked begins the calls that may begin, and sets the timer for the others.
func (l *Limiter) dispatchLocked() {
	now := l.clock.Now()
	l.expireLocked(now)
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
	for {
		p := Interactive
		if len(l.waiting[p]) == 0 {
			p = Background
		}
		if len(l.waiting[p]) == 0 {
			return
		}
		at := l.nextLocked(p, l.waiting[p][0].calls, now)
		if at.After(now) {
			l.stop = l.clock.AfterFunc(at.Sub(now), l.dispatch)
			return
		}
		w := l.waiting[p][0]
		l.waiting[p] = l.waiting[p][1:]
		l.beginLocked(p, w, now)
	}
}

func (l *Limiter) dispatch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dispatchLocked()
}

func (l *Limiter) beginLocked(p Class, w *waiting, now time.Time) {
	if l.limit > 0 {
		w.calls = min(w.calls, l.limit)
		for range w.calls {
			l.starts = append(l.starts, now)
			if !w.places { // they are written when they begin
				l.past.add(now)
			}
		}
	}
	if w.places {
		l.granted = append(l.granted, w)
	}
	if p == Background {
		l.last = now
		if l.limit > 0 {
			l.last = now.Add(time.Duration(w.calls-1) * Window / time.Duration(l.limit))
		}
	}
	w.start = now
	close(w.ready)
}
