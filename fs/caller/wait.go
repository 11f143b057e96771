package caller

import (
	"context"
	"time"
)

// poll is how often a caller's pending signals are looked at once one came:
// the kernel reports only the first signal of a request.
const poll = 50 * time.Millisecond

// Wait returns when done is closed (false), or when a signal that ends the
// caller is pending (true). tid is the thread that the request names; ctx is
// the request's context, which every signal cancels. Where the thread cannot
// be looked at (another PID namespace), it waits for done.
func Wait(ctx context.Context, tid uint32, done <-chan struct{}) (interrupted bool) {
	select {
	case <-done:
		return false
	case <-ctx.Done():
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for !Ending(tid) {
		select {
		case <-done:
			return false
		case <-tick.C:
		}
	}
	select {
	case <-done:
		return false
	default:
		return true
	}
}
