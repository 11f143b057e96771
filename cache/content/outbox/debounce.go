package outbox

import "time"

// longestBurst limits how long a burst delays sending, as a multiple of Options.Debounce.
const longestBurst = 20

// untilQuiet returns how long to wait before sending. A program that adds many keys gets the
// processor first, and content that it replaces soon is not sent twice.
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
