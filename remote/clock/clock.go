// Package clock is the time of the limiter and of pauses between attempts. Tests can move
// it.
package clock

import (
	"context"
	"time"
)

// Clock returns the time and waits.
type Clock struct {
	Now func() time.Time
	// AfterFunc calls f after d unless it is stopped before.
	AfterFunc func(d time.Duration, f func()) (stop func() bool)
}

// System is the clock of the operating system.
var System = Clock{
	Now:       time.Now,
	AfterFunc: func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop },
}

// Sleep is System.Sleep.
func Sleep(ctx context.Context, d time.Duration) error { return System.Sleep(ctx, d) }

// Sleep waits for d, or the end of ctx, whose error it returns then.
func (c Clock) Sleep(ctx context.Context, d time.Duration) error {
	done := make(chan struct{})
	defer c.AfterFunc(d, func() { close(done) })()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
