// Package clocktest provides a clock that a test moves.
package clocktest

import (
	"slices"
	"sync"
	"time"

	"paperfs/remote/clock"
)

// Clock is a clock that a test moves; timers run when it passes them.
type Clock struct {
	mu     sync.Mutex
	at     time.Time
	timers []*timer
}

type timer struct {
	at time.Time
	f  func()
}

// New returns a clock that does not advance by itself.
func New() *Clock {
	return &Clock{at: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// Clock returns the clock for the code under test.
func (c *Clock) Clock() clock.Clock { return clock.Clock{Now: c.Now, AfterFunc: c.afterFunc} }

// Now returns the time to which the test has set the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *Clock) afterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{c.at.Add(d), f}
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
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.at.Add(d)
	for {
		var next *timer
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
