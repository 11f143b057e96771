package ratelimit

import (
	"fmt"
	"time"
)

// WaitError: the wait for the budget is longer than the caller may wait.
type WaitError struct {
	wait, most time.Duration
	why        string
}

func (e *WaitError) Error() string {
	return fmt.Sprintf("the next request may be sent in %s, as %s; a read waits for %s at most",
		e.wait.Round(time.Second), e.why, e.most)
}

func (l *Limiter) refusalLocked(now, at time.Time, most time.Duration) error {
	e := &WaitError{wait: at.Sub(now), most: most}
	switch {
	case !l.held.Before(at):
		e.why = "the service asked for a pause"
	case l.limit < l.full:
		e.why = fmt.Sprintf("the service refused more than %d a minute", l.limit)
	default:
		e.why = fmt.Sprintf("the limit is %d a minute", l.limit)
	}
	return e
}

// Throttled learns from a call that the service refused for its rate: nothing
// begins before the pause is over that it asked for, and the limit becomes
// less than what was sent within the Window, though not less than half. A call
// that had begun before the limit was lowered tells nothing new.
func (l *Limiter) Throttled(began time.Time, pause time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	l.expireLocked(now)
	l.held = later(l.held, now.Add(pause))
	if l.full > 0 && began.After(l.changed) {
		l.limit = max(l.limit/2, min(l.limit, len(l.starts))-1, 1)
		l.changed = now
	}
	l.giveUpLocked(now)
	l.dispatchLocked()
}

// recoverLocked raises a limit that was lowered by a tenth of the full one for
// each window in which the service refused nothing.
func (l *Limiter) recoverLocked(now time.Time) {
	for l.limit < l.full && !now.Before(l.changed.Add(Window)) {
		l.limit = min(l.full, l.limit+max(1, l.full/10))
		l.changed = l.changed.Add(Window)
	}
}

// giveUpLocked fails the calls that would wait for longer than they may now.
func (l *Limiter) giveUpLocked(now time.Time) {
	patient := l.waiting[Interactive][:0]
	for _, w := range l.waiting[Interactive] {
		at := l.estimateLocked(now, callsOf(patient))
		if w.until.IsZero() || !at.After(w.until) {
			patient = append(patient, w)
			continue
		}
		w.err = l.refusalLocked(now, at, w.most)
		close(w.ready)
	}
	clear(l.waiting[Interactive][len(patient):])
	l.waiting[Interactive] = patient
}
