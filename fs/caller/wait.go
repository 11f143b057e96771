package caller

import (
	"bytes"
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// poll is how often Wait checks for pending signals after the first: the kernel reports
// only the first signal of a request.
const poll = 50 * time.Millisecond

// Wait returns false when done is closed, or true when a signal that ends the caller is
// pending. tid is the thread that the request names; ctx is the request's context, which
// every signal cancels. If the thread cannot be inspected (another PID namespace), Wait
// waits for done.
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

// SoonOver is how long a READ takes before somebody looks at its reader, which costs more than most
// reads.
const SoonOver = 20 * time.Millisecond

// lifePoll is how often WaitReading checks whether the reader is alive.
const lifePoll = 500 * time.Millisecond

// WaitReading is Wait for a READ. It also returns true when the reader has ended: the
// kernel reads ahead for a program, and does not report the program's end.
func WaitReading(ctx context.Context, tid uint32, done <-chan struct{}) (interrupted bool) {
	if over, known := ended(tid); !known {
		return Wait(ctx, tid, done)
	} else if over {
		return true // a read-ahead may arrive after its reader's end
	}
	over := make(chan struct{}) // done, or the reader has ended
	stop := make(chan struct{})
	gone := make(chan bool, 1)
	go func() {
		gone <- awaitEnd(tid, done, stop)
		close(over)
	}()
	interrupted = Wait(ctx, tid, over)
	close(stop)
	return interrupted || <-gone
}

// awaitEnd returns true when the thread has ended, or false when done or stop is closed
// first.
func awaitEnd(tid uint32, done, stop <-chan struct{}) (over bool) {
	tick := time.NewTicker(lifePoll)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return false
		case <-stop:
			return false
		case <-tick.C:
			if over, known := ended(tid); over || !known {
				return true
			}
		}
	}
}

// ended reports whether a thread has ended. known is false if it cannot be inspected: in
// another PID namespace (tid 0), or hidden in /proc.
func ended(tid uint32) (over, known bool) {
	if tid == 0 {
		return false, false
	}
	status, err := read(tid, "status", make([]byte, 4096))
	if err != nil {
		gone := unix.Kill(int(tid), 0) == unix.ESRCH
		return gone, gone
	}
	return bytes.Contains(status, []byte("\nState:\tZ")) || bytes.Contains(status, []byte("\nState:\tX")), true
}
