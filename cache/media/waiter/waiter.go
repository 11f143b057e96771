package waiter

import (
	"context"
	"fmt"

	"paperfs/cache/media/lock"
)

// Waiter waits for a change of names, and may leave before it is over.
type Waiter struct {
	mu   lock.Mutex[lock.Caller]
	left bool     // guarded by mu
	then []func() // guarded by mu: what is to be done when he leaves
}

type callerKey struct{}

// With returns the context for a change of names (Rename, Unlink, Rmdir,
// Mkdir, RetryFailed) whose caller may leave before it is over, which leave
// tells. What has had no effect by then is not done, and fails with ErrLeft. The
// rest is ended in the background, and is late: who uses its names waits for it, and it
// gives way to what was written since.
func With(ctx context.Context) (_ context.Context, leave func()) {
	c := new(Waiter)
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callerKey{}, c))
	return ctx, func() {
		c.leave()
		cancel()
	}
}

// ErrLeft is the failure of a change whose caller has left before it had any
// effect.
var ErrLeft = fmt.Errorf("nothing was done: %w", context.Canceled)

// Late is the context of a change that nobody waits for.
func Late(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, &Waiter{left: true})
}

// Of is who waits for a change, nil where that is not known.
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

// OnLeave has f called when the caller leaves, now where he has. f must not
// wait.
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

// Gone reports whether the caller has left.
func (c *Waiter) Gone() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// Begun is the context of the rest of a change that can not be undone any more.
func Begun(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
