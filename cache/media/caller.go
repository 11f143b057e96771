package media

import (
	"context"
	"fmt"

	"paperfs/cache/media/lock"
)

// caller waits for a change of names, and may leave before it is over.
type caller struct {
	mu   lock.Mutex[lock.Caller]
	left bool     // guarded by mu
	then []func() // guarded by mu: what is to be done when he leaves
}

type callerKey struct{}

// WithCaller returns the context for a change of names (Rename, Unlink, Rmdir,
// Mkdir, RetryFailed) whose caller may leave before it is over, which leave
// tells. What has had no effect by then is not done, and fails with ErrLeft. The
// rest is ended behind, and is late: who uses its names waits for it, and it
// gives way to what was written meanwhile.
func WithCaller(ctx context.Context) (_ context.Context, leave func()) {
	c := new(caller)
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callerKey{}, c))
	return ctx, func() {
		c.leave()
		cancel()
	}
}

// ErrLeft is the failure of a change whose caller has left before it had any
// effect.
var ErrLeft = fmt.Errorf("nothing was done: %w", context.Canceled)

// late is the context of a change that nobody waits for.
func late(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, &caller{left: true})
}

// callerOf is who waits for a change, nil where that is not known.
func callerOf(ctx context.Context) *caller {
	c, _ := ctx.Value(callerKey{}).(*caller)
	return c
}

func (c *caller) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	for _, f := range c.then {
		f()
	}
	c.then = nil
}

// onLeave has f called when the caller leaves, now where he has. f must not
// wait.
func (c *caller) onLeave(f func()) {
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

// gone reports whether the caller has left.
func (c *caller) gone() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// begun is the context of the rest of a change that can not be undone any more.
func begun(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
