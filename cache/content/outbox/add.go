package outbox

import "time"

// Add adds a key unless it is present. If pause is positive, the key is not sent before it
// ends; otherwise the caller must offer the key.
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
