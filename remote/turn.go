package remote

import (
	"context"
	"sync"
)

// turnKey marks a context that has a turn.
type turnKey struct{}

// turn is the request budget of calls that are to be made one right after the other.
type turn struct {
	mu    sync.Mutex
	calls map[*Operation]int // guarded by mu; not made yet
}

// takes reports whether an attempt has its budget.
func (t *turn) takes(op *Operation) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls[op] == 0 {
		return false
	}
	t.calls[op]--
	return true
}

func (t *turn) rest() (calls int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for op, n := range t.calls {
		calls += n
		delete(t.calls, op)
	}
	return calls
}

func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// Turn waits, as a background call, until the request budget has room for one call of each of these
// operations: calls with
// the context that it returns wait for it no more, so that what the first of them answers is not old when
// the last goes out. A repeat waits as ever. end gives back what was not used.
func (c *Client) Turn(ctx context.Context, ops ...*Operation) (with context.Context, end func(), err error) {
	r := &request{op: ops[len(ops)-1]}
	c.underWay.begin(r, c.clock.Now())
	defer c.underWay.end(r)
	granted, giveBack, err := c.limiter.AcquireAll(ctx, len(ops))
	if err != nil {
		return ctx, func() {}, c.cancelled(r, err)
	}
	t := &turn{calls: map[*Operation]int{}}
	for _, op := range ops[len(ops)-granted:] {
		t.calls[op]++
	}
	return context.WithValue(ctx, turnKey{}, t), func() { giveBack(t.rest()) }, nil
}
