package testrun

import (
	"slices"
	"sync"
	"time"

	"paperfs/remote/clock"
)

// FakeClock is a clock that a test moves; timers run when it passes them.
type FakeClock struct {
	mu     sync.Mutex
	at     time.Time
	timers []*fakeTimer
}

type fakeTimer struct {
	at time.Time
	f  func()
}

// NewClock returns a clock that does not advance by itself.
func NewClock() *FakeClock {
	return &FakeClock{at: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// Clock returns the clock for the code under test.
func (c *FakeClock) Clock() clock.Clock { return clock.Clock{Now: c.Now, AfterFunc: c.afterFunc} }

// Now returns the time to which the test has set the clock.
func (c *FakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *FakeClock) afterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{c.at.Add(d), f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.timers, t)
		if i >= 0 {
			c.timers = slices.Delete(c.timers, i, i+1)
		}
		return i >= 0
	}
}

// Advance moves the clock and runs due timers, in order.
func (c *FakeClock) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.at.Add(d)
	for {
		var next *fakeTimer
		for _, t := range c.timers {
			if !t.at.After(end) && (next == nil || t.at.Before(next.at)) {
				next = t
			}
		}
		if next == nil {
			break
		}
		i := slices.Index(c.timers, next)
		c.timers = slices.Delete(c.timers, i, i+1)
		if next.at.After(c.at) {
			c.at = next.at
		}
		c.mu.Unlock()
		next.f()
		c.mu.Lock()
	}
	c.at = end
	c.mu.Unlock()
}
