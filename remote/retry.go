package remote

import (
	"context"
	"errors"
	"time"

	"paperfs/remote/ratelimit"
)

// Bounds of repeating. A caller waits for a read no longer than some ten
// seconds of pauses and failed attempts, for a change a bit longer; what the
// service itself asks a change to wait (429) is waited.
const (
	firstPause     = 200 * time.Millisecond
	longestPause   = 4 * time.Second
	readBudget     = 10 * time.Second
	changeBudget   = 20 * time.Second
	readAttempts   = 6
	changeAttempts = 8
	throttledMost  = 5
)

// do makes attempts until one succeeds or the policy ends. repeated tells that
// an attempt before the last one may have had its effect.
func (c *Client) do(ctx context.Context, r *request) (repeated bool, err error) {
	r.number = c.requests.Add(1)
	began := time.Now()
	attempts := 0
	defer func() { c.logCall(ctx, r, attempts, began, err) }()
	if !c.offered(r.op) {
		return false, c.newError(r, NotOffered)
	}
	ok, probe := c.health.admit()
	if !ok {
		e := c.newError(r, Unreachable)
		e.Err = errAway
		return false, e
	}
	if probe {
		defer c.health.leave()
	}
	r.form = c.form(r.op, r.params)
	r.finish = r.bulk.finisher()
	if r.bulk != nil && r.bulk.whole != nil {
		r.form, r.bulk = append(r.form, r.bulk.whole...), nil
	}
	plan := newPlan(r.op)
	for {
		if err := c.await(ctx, r); err != nil {
			return repeated, plan.settle(err)
		}
		attempts++
		o := c.attempt(ctx, r)
		last, pause := plan.judge(o, c.jitter())
		if away := unreachable(o.err); last || away && probe {
			if away && !(o.unknown && r.op.Changes) { // a reset may be about what was sent, and a look has to go out after it
				c.health.failed()
			}
			if o.missing && c.missing(ctx, r.op) {
				return repeated, plan.settle(c.newError(r, NotOffered))
			}
			return repeated, c.settle(plan, o)
		}
		repeated = repeated || o.unknown
		if err := c.pause(ctx, r, pause); err != nil {
			e := c.newError(r, Cancelled)
			e.Err = err
			return repeated, plan.settle(e)
		}
	}
}

var errAway = errors.New("it has been away a moment ago; it is asked again in a few seconds")

// await waits for the request budget.
func (c *Client) await(ctx context.Context, r *request) error {
	class, most := ratelimit.Interactive, c.maxWait
	if isBackground(ctx) {
		class = ratelimit.Background
	}
	if r.op.Changes || isPatient(ctx) {
		most = 0
	}
	err := c.limiter.Acquire(ctx, class, most)
	if err == nil {
		return nil
	}
	e := c.newError(r, Cancelled)
	e.Err = err
	var tooLong *ratelimit.WaitError
	if errors.As(err, &tooLong) {
		e.Kind = OverBudget
	}
	return e
}

func unreachable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Unreachable
}

func (c *Client) settle(p *plan, o outcome) error {
	var caller *callerError
	if errors.As(o.err, &caller) {
		return caller.err
	}
	if o.err == nil {
		return nil
	}
	return p.settle(o.err)
}

// plan decides on repeating the attempts of one call.
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

// judge takes the outcome of an attempt: it was the last, or another follows
// after a pause. random is in [0,1).
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

// lastChange is judge for what changes the service: long transfers do not
// count, only pauses do, and not those that the service asked for.
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

// settle marks the error of a change whose outcome is not known. Where waiting
// for a further attempt failed, the failure of the last one tells more.
func (p *plan) settle(err error) error {
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
