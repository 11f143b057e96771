package waiter

import (
	"context"
	"fmt"
)

type callerKey struct{}

// With returns the context for a change of names (Rename, Unlink, Rmdir, Mkdir, RetryFailed)
// whose caller may leave, by calling leave. A change without any effect by then is not made,
// and fails with ErrLeft. Otherwise it continues in the background, late: users of its names
// wait for it, and it yields to newer writes.
func With(ctx context.Context) (_ context.Context, leave func()) {
	ctx, cancel := context.WithCancel(ctx)
	return context.WithValue(ctx, callerKey{}, ctx), cancel
}

// ErrLeft reports that the caller of a change left before it had any effect.
var ErrLeft = fmt.Errorf("nothing was done: %w", context.Canceled)

// Of returns a context that ends when the caller of a change leaves. Without a known caller it never
// ends.
func Of(ctx context.Context) context.Context {
	if caller, ok := ctx.Value(callerKey{}).(context.Context); ok {
		return caller
	}
	return context.Background()
}

// HasLeft reports whether the caller has left.
func HasLeft(ctx context.Context) bool { return Of(ctx).Err() != nil }

// Committed returns a context for the rest of a change that can no longer be undone: it has no
// cancellation, but HasLeft still tells.
func Committed(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
