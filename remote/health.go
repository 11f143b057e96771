package remote

import (
	"sync"
	"time"
)

// Calls to a service that is away fail at once for this long, then one asks
// again; each failure doubles the time.
const (
	firstAway   = time.Second
	longestAway = 10 * time.Second
)

// health remembers that the service cannot be reached.
type health struct {
	now func() time.Time

	mu     sync.Mutex // guards the fields below
	since  time.Time  // zero: reachable
	until  time.Time  // no call goes out before
	pause  time.Duration
	probed bool // a call is finding out
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

// leave ends a probe that learnt nothing.
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

// away is since when the service is away and when it is asked again, zero
// where it is not.
func (h *health) away() (since, again time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return time.Time{}, time.Time{}
	}
	return h.since, h.until
}
