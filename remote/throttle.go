package remote

import (
	"fmt"
	"time"
)

// budgetError: the wait for the budget is longer than the caller may wait.
type budgetError struct {
	wait, most time.Duration
	why        string
}

func (e *budgetError) Error() string {
	return fmt.Sprintf("the next request may be sent in %s, as %s; a read waits for %s at most",
		e.wait.Round(time.Second), e.why, e.most)
}

func (l *limiter) refusalLocked(now, at time.Time, most time.Duration) error {
	e := &budgetError{wait: at.Sub(now), most: most}
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

// throttled learns from a call that the service refused for its rate: nothing
// begins before the pause is over that it asked for, and the limit becomes
// less than what was sent within the window, though not less than half. A call
// that had begun before the limit was lowered tells nothing new.
func (l *limiter) throttled(began time.Time, pause time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.now()
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
func (l *limiter) recoverLocked(now time.Time) {
	for l.limit < l.full && !now.Before(l.changed.Add(window)) {
		l.limit = min(l.full, l.limit+max(1, l.full/10))
		l.changed = l.changed.Add(window)
	}
}

// giveUpLocked fails the calls that would wait for longer than they may now.
func (l *limiter) giveUpLocked(now time.Time) {
	patient := l.waiting[interactive][:0]
	for _, w := range l.waiting[interactive] {
		at := l.estimateLocked(now, len(patient))
		if w.until.IsZero() || !at.After(w.until) {
			patient = append(patient, w)
			continue
		}
		w.err = l.refusalLocked(now, at, w.most)
		close(w.ready)
	}
	clear(l.waiting[interactive][len(patient):])
	l.waiting[interactive] = patient
}
