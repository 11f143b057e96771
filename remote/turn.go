package remote

import (
	"context"
	"sync"

	"paperfs/remote/ratelimit"
)

// turnKey marks a context that has a turn.
type turnKey struct{}

// turn is the request budget of calls that are to be made one right after the other.
type turn struct {
	places *ratelimit.Places

	mu    sync.Mutex
	calls map[*Operation]int // guarded by mu; not made yet
}

// takes reports whether an attempt has its budget, and counts the attempt as one that begins now.
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
	return t.places.Begin()
}

// end gives back what was not used.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.calls)
	t.places.GiveBack()
}

// Turn waits until the request budget has room for one call of each of these operations, as a background
// call unless ctx is Patient: calls with the context that it returns do not wait for the budget, so that the
// answer of the first is fresh when the last goes out. A repeat waits as always. end gives back what was not
// used.
func (c *Client) Turn(ctx context.Context, ops ...*Operation) (with context.Context, end func(), err error) {
	r := &request{op: ops[len(ops)-1]}
	if _, again := c.health.away(); c.health.now().Before(again) {
		e := c.newError(r, Unreachable)
		e.Err = errAway
		return ctx, func() {}, e
	}
	c.underWay.begin(r, c.clock.Now())
	defer c.underWay.end(r)
	class := ratelimit.Background
	if IsPatient(ctx) && !IsBackground(ctx) {
		class = ratelimit.Interactive
	}
	waiting, stop := c.until(ctx)
	defer stop()
	places, err := c.limiter.AcquireAll(waiting, class, len(ops))
	if err != nil {
		return ctx, func() {}, c.cancelled(r, err)
	}
	t := &turn{places: places, calls: map[*Operation]int{}}
	for _, op := range ops[len(ops)-places.Left():] {
		t.calls[op]++
	}
	return context.WithValue(ctx, turnKey{}, t), t.end, nil
}
