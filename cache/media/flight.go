package media

import (
	"context"
	"sync"
	"time"

	"paperfs/cache/media/lock"
)

// flights shares GetTree: at most one is under way, and at most one more
// waits to begin after it. It is not golang.org/x/sync/singleflight's, which has no
// flight that begins after a call; nor the catalogue's, whose lock guards when the next
// fetch is due as well.
type flights struct {
	now func() time.Time

	mu            lock.Mutex[lock.Flights]
	current, next *flight
	running       sync.WaitGroup
}

// flight is one GetTree, from its start to the comparison with the tree here.
type flight struct {
	fly   func() error
	began time.Time // guarded by flights.mu
	done  chan struct{}
	err   error // set before done is closed
}

func newFlight(fly func() error) *flight { return &flight{fly: fly, done: make(chan struct{})} }

// join returns the flight under way, or one that begins now.
func (f *flights) join(fly func() error) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current == nil {
		f.start(newFlight(fly))
	}
	return f.current
}

// fresh returns a flight that begins after this call.
func (f *flights) fresh(fly func() error) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.freshLocked(fly)
}

func (f *flights) freshLocked(fly func() error) *flight {
	if f.current == nil {
		f.start(newFlight(fly))
		return f.current
	}
	if f.next == nil {
		f.next = newFlight(fly)
	}
	return f.next
}

// since returns a flight that did not begin before a time, or landed where
// enough tells that one has ended. It asks while none can end: who asks before
// the call alone may see the tree from before a flight that has ended by then.
// enough takes no lock but the store's; nil is never.
func (f *flights) since(t time.Time, enough func() bool, fly func() error) *flight {
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
var landed = func() *flight {
	done := make(chan struct{})
	close(done)
	return &flight{done: done}
}()

// start begins fl; f.mu must be held.
func (f *flights) start(fl *flight) {
	f.current, fl.began = fl, f.now()
	f.running.Go(func() {
		fl.err = fl.fly()
		f.mu.Lock()
		next := f.next
		f.current, f.next = nil, nil
		if next != nil {
			f.start(next)
		}
		f.mu.Unlock()
		close(fl.done)
	})
}

func (f *flights) wait() { f.running.Wait() }

// await waits for fl as long as ctx lasts.
func (fl *flight) await(ctx context.Context) error {
	select {
	case <-fl.done:
		return fl.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
