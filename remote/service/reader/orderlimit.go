package reader

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// How many orders the service takes: from a client address in a minute and in a day, and
// of a paper and a tenant in a day.
const (
	addressMinute = 5 // at least
	addressDay    = 30
	paperDay      = 2_000
	tenantDay     = 20_000
	day           = 24 * time.Hour
)

// mostAddresses is the largest number of remembered addresses. Beyond it, all are forgotten:
// against a client with so many addresses, only the limits of papers and tenants help.
const mostAddresses = 100_000

// OrderLimits counts the orders of each client address.
type OrderLimits struct {
	AddressDay int // orders of one address in a day, a sixth of them in a minute; 0 = addressDay

	mu    sync.Mutex // guards all below; taken alone
	from  map[string][]time.Time
	sweep int // len(from) beyond which addresses without recent orders are forgotten
}

// take counts an order and returns 0, or returns how long to wait.
func (l *OrderLimits) take(address string, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.from[address]
	for len(all) > 0 && now.Sub(all[0]) >= day {
		all = all[1:]
	}
	for _, bound := range []struct {
		most int
		in   time.Duration
	}{{max(addressMinute, l.AddressDay/6), time.Minute}, {cmp.Or(l.AddressDay, addressDay), day}} {
		if n := len(all) - bound.most; n >= 0 {
			wait = max(wait, bound.in-now.Sub(all[n]))
		}
	}
	if wait > 0 {
		return wait
	}
	if l.from == nil {
		l.from = map[string][]time.Time{}
	}
	if len(l.from) >= mostAddresses {
		clear(l.from)
	}
	l.from[address] = append(all[:len(all):len(all)], now)
	if len(l.from) > l.sweep {
		for other, times := range l.from {
			if now.Sub(times[len(times)-1]) >= day {
				delete(l.from, other)
			}
		}
		l.sweep = max(1<<10, 2*len(l.from))
	}
	return 0
}

// giveBack undoes the take at the time then, for an order that was not recorded.
func (l *OrderLimits) giveBack(address string, then time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Clone(l.from[address])
	at := slices.IndexFunc(all, then.Equal)
	switch {
	case at < 0:
	case len(all) == 1:
		delete(l.from, address)
	default:
		l.from[address] = slices.Delete(all, at, at+1)
	}
}
