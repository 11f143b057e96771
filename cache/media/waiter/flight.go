package waiter

import (
	"context"
	"sync"
	"time"

	"paperfs/cache/content/lock"
)

// Flights shares one kind of request: at most one is in progress, and at most one more waits to
// begin after it. golang.org/x/sync/singleflight does not offer a flight that begins after a
// call; the catalogue has its own, because its lock also guards when the next fetch is due.
type Flights struct {
	Now func() time.Time

	mu            lock.Mutex[lock.Flights]
	current, next *Flight
	running       sync.WaitGroup
}

// Flight is one request, from its start until its answer was processed.
type Flight struct {
	fly   func() error
	began time.Time // guarded by Flights.mu
	done  chan struct{}
	err   error // set before done is closed
}

func newFlight(fly func() error) *Flight { return &Flight{fly: fly, done: make(chan struct{})} }

// Fresh returns a flight that begins after this call.
func (f *Flights) Fresh(fly func() error) *Flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.freshLocked(fly)
}

func (f *Flights) freshLocked(fly func() error) *Flight {
	if f.current == nil {
		f.startLocked(newFlight(fly))
		return f.current
	}
	if f.next == nil {
		f.next = newFlight(fly)
	}
	return f.next
}

// Since returns a flight that began at or after t, or a finished one if enough returns true. It
// calls enough while no flight can finish: a caller that checks beforehand may see the state
// from before a flight that has finished since. enough may be nil, and may only take locks of
// later ranks.
func (f *Flights) Since(t time.Time, enough func() bool, fly func() error) *Flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.current != nil && !f.current.began.Before(t):
		return f.current
	case f.current == nil && enough != nil && enough():
		return landed
	}
	return f.freshLocked(fly)
}

// landed is a successful, finished flight.
var landed = func() *Flight {
	done := make(chan struct{})
	close(done)
	return &Flight{done: done}
}()

// startLocked starts fl; f.mu must be held.
func (f *Flights) startLocked(fl *Flight) {
	f.current, fl.began = fl, f.Now()
	f.running.Go(func() {
		fl.err = fl.fly()
		f.mu.Lock()
		next := f.next
		f.current, f.next = nil, nil
		if next != nil {
			f.startLocked(next)
		}
		f.mu.Unlock()
		close(fl.done)
	})
}

// Wait waits for all flights in progress.
func (f *Flights) Wait() { f.running.Wait() }

// Await waits for fl until ctx ends.
func (fl *Flight) Await(ctx context.Context) error {
	select {
	case <-fl.done:
		return fl.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
