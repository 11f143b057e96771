package service

import (
	"sync"
	"time"
)

const (
	// addressBurst is for how many seconds of its rate an address may ask at
	// once, when it was quiet before: a long paper with all its images.
	addressBurst = 10
	// addressKnown is how long an address is not limited after a call with good
	// credentials: a mount reads content and images without them.
	addressKnown = time.Hour
)

// addressRate lets each address make so many requests a second without good
// credentials. Of several nodes each counts for itself, other than with accounts: a
// stranger's request is to cost the records that all share nothing.
type addressRate struct {
	each time.Duration // 1 s by the rate
	now  func() time.Time

	mu    sync.Mutex // guards all below
	from  map[string]visitor
	sweep int // len(from) at which those that count no more are forgotten
}

// visitor is what is kept of an address.
type visitor struct {
	paid  time.Time // until when its requests have used up its rate
	known time.Time // until when it is not limited
}

// sweepFrom is the least number of addresses worth a look at all of them.
const sweepFrom = 1 << 10

// newAddressRate returns nil, which limits nobody, for a rate of 0.
func newAddressRate(perSecond int) *addressRate {
	if perSecond == 0 {
		return nil
	}
	return &addressRate{each: time.Second / time.Duration(perSecond), now: time.Now, from: map[string]visitor{}, sweep: sweepFrom}
}

// take counts a request, or says how long to wait instead.
func (a *addressRate) take(address string) (wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	v := a.from[address]
	if now.Before(v.known) {
		return 0
	}
	if v.paid.Before(now) {
		v.paid = now
	}
	v.paid = v.paid.Add(a.each)
	if wait := v.paid.Sub(now) - addressBurst*time.Second; wait > 0 {
		return wait
	}
	a.put(address, v, now)
	return 0
}

// know notes an address that good credentials came from. The unknown share one
// limit, which nobody lifts for the others.
func (a *addressRate) know(address string) {
	if a == nil || address == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	v := a.from[address]
	v.known = now.Add(addressKnown)
	a.put(address, v, now)
}

// put keeps a visitor, and drops others that do not count any more.
func (a *addressRate) put(address string, v visitor, now time.Time) {
	a.from[address] = v
	if len(a.from) < a.sweep {
		return
	}
	for other, v := range a.from {
		if !now.Before(v.paid) && !now.Before(v.known) {
			delete(a.from, other)
		}
	}
	a.sweep = max(sweepFrom, 2*len(a.from))
}
