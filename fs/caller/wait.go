package caller

import (
	"bytes"
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

// lifePoll is how often it is looked whether a reader lives.
const lifePoll = 500 * time.Millisecond

// WaitReading is Wait for a request to read. The kernel also reads ahead, and
// tells nobody when the program that this is for ends: so that ends the
// waiting, too.
func WaitReading(ctx context.Context, tid uint32, done <-chan struct{}) (interrupted bool) {
	select {
	case <-done:
		return false
	default:
	}
	if !alive(tid) { // it cannot be looked at
		return Wait(ctx, tid, done)
	}
	over := make(chan struct{}) // done, or the reader has ended
	stop := make(chan struct{})
	ended := make(chan bool, 1)
	go func() {
		ended <- reads(tid, done, stop)
		close(over)
	}()
	interrupted = Wait(ctx, tid, over)
	close(stop)
	return interrupted || <-ended
}

// reads returns true when the thread has ended, false when done or stop is
// closed before.
func reads(tid uint32, done, stop <-chan struct{}) (ended bool) {
	tick := time.NewTicker(lifePoll)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return false
		case <-stop:
			return false
		case <-tick.C:
			if !alive(tid) {
				return true
			}
		}
	}
}

// alive reports whether a thread has memory, as all have that did not end. A
// thread that cannot be looked at has none.
func alive(tid uint32) bool {
	if tid == 0 {
		return false
	}
	statm, err := read(tid, "statm", make([]byte, 64))
	return err == nil && !bytes.HasPrefix(statm, []byte("0 "))
}
