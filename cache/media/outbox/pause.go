package outbox

import "time"

// pauseLocked has an entry wait; q.mu must be held, and a move follow.
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

// failedLocked notes a failure that may pass; q.mu must be held, and a move follow.
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

// backOffLocked stops the whole outbox for a while; q.mu must be held.
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
		q.signal()
	})
}

// Postpone has a key, or all of them, wait as after a failure of its own, though it
// was not sent.
func (q *Outbox[K]) Postpone(k K, err error, all bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[k]
	if e == nil || e.state.Cancelled() {
		return
	}
	if q.failedLocked(e, err, all); !all {
		q.moveLocked(e, postpone)
	}
}

// Hold has a key that was not sent wait for a while, and says why. It is no failure.
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

// Retry forgets all pauses.
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
	q.signal()
}

// Blocked is why the whole outbox waits, or did before something was tried
// again; nil once something was sent, or has failed alone.
func (q *Outbox[K]) Blocked() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.backoff.why
}
