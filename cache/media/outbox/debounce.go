package outbox

import "time"

// longestBurst is for how many times Options.Debounce a burst is waited for that
// does not end.
const longestBurst = 20

// untilQuiet is how long to wait before something is sent: a program that adds
// much gets the processor first, and what it adds again at once is not sent
// twice.
func (q *Outbox[K]) untilQuiet() time.Duration {
	if q.o.Debounce <= 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.line) == 0 {
		return 0
	}
	return max(0, min(q.o.Debounce-time.Since(q.burst.last), longestBurst*q.o.Debounce-time.Since(q.burst.since)))
}
