package ratelimit

import (
	"fmt"
	"time"
)

// WaitError means that a call would wait for the budget for longer than its caller allows.
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

// Throttled handles a call that the service refused for its rate. No call begins before
// the pause that the service asked for. The limit becomes lower than the number of calls
// within the Window, but not lower than half the full limit. A call that began before the
// last change of the limit does not lower it again.
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

// recoverLocked raises a lowered limit, by a tenth of the full one for each window without
// a refusal.
func (l *Limiter) recoverLocked(now time.Time) {
	for l.limit < l.full && !now.Before(l.changed.Add(Window)) {
		l.limit = min(l.full, l.limit+max(1, l.full/10))
		l.changed = l.changed.Add(Window)
	}
}

// giveUpLocked fails the calls that would now wait for longer than they may.
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
