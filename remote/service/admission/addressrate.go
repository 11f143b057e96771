package admission

import (
	"sync"
	"time"
)

const (
	// addressBurst is how many seconds' worth of its rate an address may use at once
	// after it was quiet: enough for a long paper with all its images.
	addressBurst = 10
	// addressKnown is how long an address has no limit after a call with good
	// credentials: a mount reads content and images without them.
	addressKnown = time.Hour
)

// AddressRate lets each address make so many requests a second without good
// credentials. Each node counts for itself: a stranger's request must not cost a query
// to the records that all nodes share. A nil AddressRate limits nobody.
type AddressRate struct {
	Now func() time.Time // set before the first request

	each time.Duration // 1 s divided by the rate

	mu    sync.Mutex // guards all below
	from  map[string]visitor
	sweep int // len(from) at which put drops expired visitors
}

// visitor is the state of an address.
type visitor struct {
	paid  time.Time // its requests have used up its rate until then
	known time.Time // it has no limit until then
}

// sweepFrom is the least number of addresses that put sweeps.
const sweepFrom = 1 << 10

// NewAddressRate returns nil, which limits nobody, for a rate of 0.
func NewAddressRate(perSecond int) *AddressRate {
	if perSecond == 0 {
		return nil
	}
	return &AddressRate{each: time.Second / time.Duration(perSecond), Now: time.Now, from: map[string]visitor{}, sweep: sweepFrom}
}

// Take counts a request, or returns how long its sender has to wait.
func (a *AddressRate) Take(address string) (wait time.Duration) {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.Now()
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

// Know lifts the limit of an address that sent good credentials. Unknown addresses
// share one limit, which nobody lifts for the others.
func (a *AddressRate) Know(address string) {
	if a == nil || address == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.Now()
	v := a.from[address]
	v.known = now.Add(addressKnown)
	a.put(address, v, now)
}

// put stores a visitor, and drops expired ones when there are many. The caller holds mu.
func (a *AddressRate) put(address string, v visitor, now time.Time) {
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
