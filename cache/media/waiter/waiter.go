package waiter

import (
	"context"
	"fmt"

	"paperfs/cache/content/lock"
)

// Waiter is the caller of a change of names. It may leave before the change completes.
type Waiter struct {
	mu   lock.Mutex[lock.Caller]
	left bool     // guarded by mu
	then []func() // guarded by mu: to be called when the caller leaves
}

type callerKey struct{}

// With returns the context for a change of names (Rename, Unlink, Rmdir, Mkdir, RetryFailed)
// whose caller may leave, by calling leave. A change without any effect by then is not made,
// and fails with ErrLeft. Otherwise it continues in the background, late: users of its names
// wait for it, and it yields to newer writes.
func With(ctx context.Context) (_ context.Context, leave func()) {
	c := new(Waiter)
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callerKey{}, c))
	return ctx, func() {
		c.leave()
		cancel()
	}
}

// ErrLeft reports that the caller of a change left before it had any effect.
var ErrLeft = fmt.Errorf("nothing was done: %w", context.Canceled)

// Of returns the caller of a change, nil if unknown.
func Of(ctx context.Context) *Waiter {
	c, _ := ctx.Value(callerKey{}).(*Waiter)
	return c
}

func (c *Waiter) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	for _, f := range c.then {
		f()
	}
	c.then = nil
}

// OnLeave calls f when the caller leaves, or now if it has left. f must not wait.
func (c *Waiter) OnLeave(f func()) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left {
		f()
	} else {
		c.then = append(c.then, f)
	}
}

// HasLeft reports whether the caller has left.
func (c *Waiter) HasLeft() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// Committed returns a context for the rest of a change that can no longer be undone: it has no
// cancellation.
func Committed(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
