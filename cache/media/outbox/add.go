package outbox

import "time"

// Add puts a key into the outbox, unless it is there. Where pause is above zero it is
// not sent before that is over; else it has to be offered.
func (q *Outbox[K]) Add(k K, pause time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.entries[k] != nil {
		return
	}
	q.order++
	e := &entry[K]{key: k, order: q.order}
	q.entries[k] = e
	q.burst.last = time.Now()
	if pause > 0 {
		q.pauseLocked(e, pause)
		q.moveLocked(e, postpone)
	}
}
