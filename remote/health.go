package remote

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// While a service is away, calls fail at once for firstAway. Then one call tries
// again; each failure doubles the time, up to longestAway.
const (
	firstAway   = time.Second
	longestAway = 10 * time.Second
)

// health remembers that the service cannot be reached, and why requests that are
// sent again failed.
type health struct {
	now func() time.Time

	mu     sync.Mutex // guards the fields below
	since  time.Time  // zero: reachable
	until  time.Time  // no call goes out before
	pause  time.Duration
	probed bool // a call is finding out

	trouble Trouble
	refused string // why the account was refused last; "" when the service has taken it since
}

// Trouble is why the last request failed, where that is the service's state or
// that of something before it, and may pass: no connection, no answer in time,
// or a proxy's word that it has none (502, 503, 504).
type Trouble struct {
	Since  time.Time // the first of these requests in a row failed; zero: the last one did not
	Reason string
}

func newHealth(now func() time.Time) *health { return &health{now: now} }

// admit reports whether a call may go out, and whether it is the one that
// finds out if the service is back: such a call is not repeated.
func (h *health) admit() (ok, probe bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return true, false
	}
	if h.probed || h.now().Before(h.until) {
		return false, false
	}
	h.probed = true
	return true, true
}

// leave ends a probe that has found out nothing.
func (h *health) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.probed = false
}

func (h *health) failed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	if h.since.IsZero() {
		h.since, h.pause = now, firstAway
	} else if h.probed {
		h.pause = min(2*h.pause, longestAway)
	}
	h.probed = false
	h.until = now.Add(h.pause)
}

func (h *health) answered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since, h.probed = time.Time{}, false
}

// away returns since when the service is away and when it is asked again; both are
// zero if it is not away.
func (h *health) away() (since, again time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return time.Time{}, time.Time{}
	}
	return h.since, h.until
}

// note takes the outcome of one request.
func (h *health) note(err error) {
	e, failed := errors.AsType[*Error](err)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil || failed && e.Kind == Refused {
		h.refused = ""
	}
	if failed && (e.Code == LoginSecurityViolation || e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden) {
		h.refused = e.Reason()
	}
	switch {
	case err == nil, failed && e.answered():
		h.trouble = Trouble{}
	case failed && e.passes():
		if h.trouble.Since.IsZero() {
			h.trouble.Since = h.now()
		}
		h.trouble.Reason = e.Reason()
	}
}

// answered reports whether the service itself has failed a call.
func (e *Error) answered() bool {
	switch e.Kind {
	case Refused, NotOffered, TooLarge, Throttled:
		return true
	case Broken:
		return e.Foreign
	case Status:
		return !e.passes()
	}
	return false
}

// passes reports whether a failure is what Trouble tells.
func (e *Error) passes() bool {
	switch e.Kind {
	case Unreachable, Stalled:
		return true
	case Status:
		return e.Status >= http.StatusBadGateway && e.Status <= http.StatusGatewayTimeout
	}
	return false
}

// refusal returns why the service refuses the account, or a call of it; "" if it does
// not.
func (h *health) refusal() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refused
}

func (h *health) lastTrouble() Trouble {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.trouble
}
