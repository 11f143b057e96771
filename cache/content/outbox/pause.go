package outbox

import "time"

// pauseLocked starts a pause for an entry; q.mu must be held. The caller must call moveLocked.
func (q *Outbox[K]) pauseLocked(e *entry[K], d time.Duration) {
	e.pause.stop()
	p := &pause{until: q.o.Now().Add(d)}
	p.timer = time.AfterFunc(d, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if e.pause == p {
			e.pause = nil
			q.moveLocked(e, over)
		}
	})
	e.pause = p
}

// failedLocked records a temporary failure; q.mu must be held. The caller must call moveLocked.
func (q *Outbox[K]) failedLocked(e *entry[K], err error, all bool) {
	e.failures++
	e.last = err
	if all {
		q.backOffLocked(err)
		return
	}
	q.backoff.why = nil
	q.pauseLocked(e, q.o.Pause(e.failures, err))
}

// backOffLocked pauses the whole outbox; q.mu must be held.
func (q *Outbox[K]) backOffLocked(err error) {
	h := &q.backoff
	if h.why = err; h.on {
		return
	}
	h.failures++
	pause := q.o.Pause(h.failures, err)
	h.on, h.until = true, q.o.Now().Add(pause)
	h.timer = time.AfterFunc(pause, func() {
		q.mu.Lock()
		q.backoff.on = false
		q.mu.Unlock()
		q.wake.Ring()
	})
}

// Hold pauses a key for a reason that does not count as a failure.
func (q *Outbox[K]) Hold(k K, d time.Duration, why error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[k]
	if e == nil || e.state.Cancelled() {
		return
	}
	e.last = why
	q.pauseLocked(e, d)
	q.moveLocked(e, postpone)
}

// Retry ends all pauses.
func (q *Outbox[K]) Retry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.backoff.timer != nil {
		q.backoff.timer.Stop()
	}
	q.backoff.on, q.backoff.failures, q.burst = false, 0, burst{}
	for _, e := range q.entries {
		e.pause.stop()
		e.pause = nil
		q.moveLocked(e, retry)
	}
	q.wake.Ring()
}

// Blocked returns why the whole outbox waits, or waited before its last attempt. It is nil once
// a key was sent or failed on its own.
func (q *Outbox[K]) Blocked() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.backoff.why
}
