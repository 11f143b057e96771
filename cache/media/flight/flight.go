// Package flight shares requests that anybody may need the answer of.
package flight

import (
	"context"
	"sync"
	"time"

	"paperfs/cache/media/lock"
)

// Flights shares one kind of request: at most one is under way, and at most one more
// waits to begin after it. It is not golang.org/x/sync/singleflight's, which has no
// flight that begins after a call; nor the catalogue's, whose lock guards when the next
// fetch is due as well.
type Flights struct {
	Now func() time.Time

	mu            lock.Mutex[lock.Flights]
	current, next *Flight
	running       sync.WaitGroup
}

// Flight is one request, from its start until its answer was taken over.
type Flight struct {
	fly   func() error
	began time.Time // guarded by Flights.mu
	done  chan struct{}
	err   error // set before done is closed
}

func newFlight(fly func() error) *Flight { return &Flight{fly: fly, done: make(chan struct{})} }

// Join returns the flight under way, or one that begins now.
func (f *Flights) Join(fly func() error) *Flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current == nil {
		f.startLocked(newFlight(fly))
	}
	return f.current
}

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

// Since returns a flight that did not begin before a time, or landed where
// enough tells that one has ended. It asks while none can end: who asks before
// the call alone may see the tree from before a flight that has ended by then.
// enough takes no lock but one of a later rank; nil is never.
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

// landed is a flight that has ended well.
var landed = func() *Flight {
	done := make(chan struct{})
	close(done)
	return &Flight{done: done}
}()

// startLocked begins fl; f.mu must be held.
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

// Wait waits for those under way.
func (f *Flights) Wait() { f.running.Wait() }

// Await waits for fl as long as ctx lasts.
func (fl *Flight) Await(ctx context.Context) error {
	select {
	case <-fl.done:
		return fl.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
