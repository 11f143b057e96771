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
	longestAway = 5 * time.Second
)

// health remembers that the service cannot be reached, and why recent requests failed.
type health struct {
	now func() time.Time

	mu     sync.Mutex // guards the fields below
	since  time.Time  // zero: reachable
	until  time.Time  // no call goes out before this time
	pause  time.Duration
	probed bool // a call is checking whether the service is back

	trouble Trouble
	refused string // why the service last refused the account; "" if it has accepted it since
}

// Trouble is why the last request failed, if the cause is a temporary state of the service
// or of a proxy: no connection, no answer in time, or a proxy's 502, 503 or 504.
type Trouble struct {
	Since  time.Time // of the first of these failures in a row; zero: the last request did not fail so
	Reason string
}

func newHealth(now func() time.Time) *health { return &health{now: now} }

// admit reports whether a call may go out, and whether it is the probe that checks if the
// service is back. A probe is not repeated.
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

// reachable reports whether the service is not known to be away.
func (h *health) reachable() bool {
	since, _ := h.away()
	return since.IsZero()
}

// leave ends a probe without a result.
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
	h.probed, h.until = false, now.Add(h.pause)
}

func (h *health) answered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since, h.until, h.probed = time.Time{}, time.Time{}, false
}

// AskNow ends the time for which calls fail at once because the service was away: the next one asks it.
func (c *Client) AskNow() {
	c.health.mu.Lock()
	defer c.health.mu.Unlock()
	c.health.until = c.health.since
}

// away returns since when the service is away and when the next probe may go out; both are
// zero if the service is not away.
func (h *health) away() (since, again time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.since, h.until
}

// note records the outcome of one request. account: it was made with the credentials.
func (h *health) note(err error, account bool) {
	e, failed := errors.AsType[*Error](err)
	h.mu.Lock()
	defer h.mu.Unlock()
	if account && (err == nil || failed && e.Kind == Refused) {
		h.refused = ""
	}
	if account && failed && (e.Code == LoginSecurityViolation || e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden) {
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

// waited reports whether the trouble has lasted for as long as a call waits: the next one does not wait again.
func (h *health) waited() bool {
	since := h.lastTrouble().Since
	return !since.IsZero() && h.now().Sub(since) > patience-longestPause
}

// answered reports whether the failure of a call is an answer of the service itself.
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

// passes reports whether a failure is a Trouble.
func (e *Error) passes() bool {
	switch e.Kind {
	case Unreachable, Stalled:
		return true
	case Status:
		return e.Status >= http.StatusBadGateway && e.Status <= http.StatusGatewayTimeout
	}
	return false
}

// refusal returns why the service refuses the account, or a call of the account; "" for
// neither.
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
