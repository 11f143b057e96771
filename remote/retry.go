package remote

import (
	"errors"
	"time"
)

// Bounds of repeating. A read waits for some ten seconds of pauses and failed attempts
// at most, a change a bit longer. A change waits as long as the service itself asks
// (429).
const (
	firstPause     = 200 * time.Millisecond
	longestPause   = 4 * time.Second
	readBudget     = 10 * time.Second
	changeBudget   = 20 * time.Second
	readAttempts   = 6
	changeAttempts = 8
	throttledMost  = 5
)

// outcome is the result of one attempt.
type outcome struct {
	err error // nil, a *callerError or an *Error
	// again: the attempt may be repeated, by the operation's policy if its
	// effect is unknown.
	again   bool
	unknown bool          // the request was sent and may have had its effect
	pause   time.Duration // what the service asks to wait
	stalled bool
	missing bool // an optional operation was answered with 404
}

// callerError is an error of the caller's own function. It is returned as it is.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }

// plan decides whether another attempt of a call follows.
type plan struct {
	op        *Operation
	began     time.Time
	attempts  int
	throttled int
	stalls    int
	paused    time.Duration
	unknown   bool  // an attempt may have had its effect
	before    error // the failure of the last attempt
}

func newPlan(op *Operation) *plan { return &plan{op: op, began: time.Now()} }

// judge decides after an attempt: it was the last one, or another follows after a
// pause. random is in [0,1).
func (p *plan) judge(o outcome, random float64) (last bool, pause time.Duration) {
	p.attempts++
	if o.err == nil {
		return true, 0
	}
	p.unknown = p.unknown || o.unknown
	p.before = o.err
	if !o.again || o.unknown && p.op.Repeat == Look {
		return true, 0
	}
	if o.stalled {
		p.stalls++
	}
	pause = max(p.backoff(random), o.pause)
	if p.op.Changes {
		return p.lastChange(o, pause), pause
	}
	p.paused += pause
	over := p.paused > readBudget || time.Since(p.began)+pause > readBudget
	return over || p.attempts >= readAttempts, pause
}

// lastChange is judge for operations that change the service. Only pauses count: no
// long transfers, and no pauses that the service asked for.
func (p *plan) lastChange(o outcome, pause time.Duration) bool {
	var e *Error
	if errors.As(o.err, &e) && e.Kind == Throttled {
		p.throttled++
		return p.throttled > throttledMost
	}
	p.paused += pause
	return p.paused > changeBudget || p.attempts >= changeAttempts || p.stalls > 1
}

// backoff doubles from attempt to attempt, with half of it left to chance.
func (p *plan) backoff(random float64) time.Duration {
	pause := min(firstPause<<(p.attempts-1), longestPause)
	return pause/2 + time.Duration(random*float64(pause/2))
}

// settle returns the caller's error. It is marked for a change of unknown outcome. If
// the wait for another attempt failed, it is the failure of the last attempt, which
// says more.
func (p *plan) settle(err error) error {
	var caller *callerError
	if errors.As(err, &caller) {
		return caller.err
	}
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Kind == OverBudget && p.before != nil {
		errors.As(p.before, &e)
	}
	e.Ambiguous = p.op.Changes && p.unknown
	return e
}
