package remote

import (
	"errors"
	"time"
)

const (
	firstPause   = 200 * time.Millisecond
	longestPause = 4 * time.Second
	// patience bounds the repeats of a call. It is less than the half minute for which an unmount, and scripts, wait.
	patience      = 25 * time.Second
	throttledMost = 5
)

// outcome is the result of one attempt.
type outcome struct {
	err error // nil, a *callerError or an *Error
	// again: the attempt may be repeated; if its effect is unknown, only by the
	// operation's policy.
	again   bool
	unknown bool          // the request was sent and may have had its effect
	pause   time.Duration // that the service asks for
	vain    time.Duration // that it took to find no connection
	stalled bool
	missing bool // an optional operation was answered with 404
	// rawRefused: an older node, or something between, does not take content raw. Nothing of it was received.
	rawRefused bool
}

// callerError is an error of the caller's own function. The call returns it unchanged.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }

// plan decides whether another attempt of a call follows.
type plan struct {
	op        *Operation
	waited    bool // an earlier call has waited for the service in vain
	began     time.Time
	attempts  int
	throttled int
	stalls    int
	paused    time.Duration
	unknown   bool  // an attempt may have had its effect
	before    error // the failure of the last attempt
}

func (c *Client) newPlan(op *Operation) *plan {
	return &plan{op: op, waited: c.health.waited(), began: time.Now()}
}

// judge decides whether an attempt was the last one, or another follows after a pause.
// random is in [0,1).
func (p *plan) judge(o outcome, random float64) (last bool, pause time.Duration) {
	p.attempts++
	if o.err == nil {
		return true, 0
	}
	p.unknown = p.unknown || o.unknown
	p.before = o.err
	e, _ := errors.AsType[*Error](o.err)
	if !o.again || o.unknown && p.op.Repeat == Look || p.waited && e != nil && e.passes() {
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
	return p.paused > patience || time.Since(p.began)+pause > patience, pause
}

// lastChange is judge for operations that change the service. It counts only the time of pauses and of attempts that
// reached nobody: not long transfers, and not pauses that the service asked for (429).
func (p *plan) lastChange(o outcome, pause time.Duration) bool {
	var e *Error
	if errors.As(o.err, &e) && e.Kind == Throttled {
		p.throttled++
		return p.throttled > throttledMost
	}
	p.paused += o.vain + pause
	return p.paused > patience || p.stalls > 1
}

// backoff doubles with each attempt. Half of it is random.
func (p *plan) backoff(random float64) time.Duration {
	pause := min(firstPause<<(p.attempts-1), longestPause)
	return pause/2 + time.Duration(random*float64(pause/2))
}

// settle returns the error for the caller, marked as ambiguous for a change of unknown
// outcome. If the wait for another attempt failed, it returns the failure of the last
// attempt, which says more.
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
