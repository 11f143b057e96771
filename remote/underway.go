package remote

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Stage is what a call under way waits for.
type Stage string

// The stages of a call, in their order; after a pause the first comes again.
const (
	ForBudget Stage = "limit" // its turn among the requests of a minute
	ForReply  Stage = "reply" // the service: it is being sent, or not answered yet
	ForRepeat Stage = "pause" // the end of a pause: the last attempt failed
)

// UnderWay is a call that has not ended, or a download whose answer has not begun.
type UnderWay struct {
	Operation string
	Since     time.Time // the call began
	Stage     Stage
	Repeat    time.Time // the end of the pause, at the stage ForRepeat
	Sent      int64     // bytes of its requests' bodies
}

// underWay has the calls that have not ended.
type underWay struct {
	mu    sync.Mutex
	calls map[*request]UnderWay // guarded by mu
}

// pause waits before a call is repeated.
func (c *Client) pause(ctx context.Context, r *request, d time.Duration) error {
	c.underWay.reach(r, ForRepeat, c.clock.Now().Add(d))
	return c.clock.Sleep(ctx, d)
}

func (u *underWay) begin(r *request, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls == nil {
		u.calls = map[*request]UnderWay{}
	}
	u.calls[r] = UnderWay{Operation: r.op.Name, Since: now, Stage: ForBudget}
}

// reach notes the stage of a call; repeat is zero but for a pause.
func (u *underWay) reach(r *request, stage Stage, repeat time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	call := u.calls[r]
	call.Stage, call.Repeat = stage, repeat
	u.calls[r] = call
}

func (u *underWay) end(r *request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.calls, r)
}

// all are the calls under way, the oldest first.
func (u *underWay) all() []UnderWay {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []UnderWay
	for r, call := range u.calls {
		if r.isHeld() {
			continue // nobody waits for its answer
		}
		call.Sent = r.sent.Load()
		all = append(all, call)
	}
	slices.SortFunc(all, func(a, b UnderWay) int { return a.Since.Compare(b.Since) })
	return all
}

// repeating counts the calls that pause, and returns the end of the first pause.
func repeating(calls []UnderWay) (count int, first time.Time) {
	for _, call := range calls {
		if call.Stage != ForRepeat {
			continue
		}
		count++
		if first.IsZero() || call.Repeat.Before(first) {
			first = call.Repeat
		}
	}
	return count, first
}
