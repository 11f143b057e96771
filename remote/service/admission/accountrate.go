package admission

import (
	"context"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

// AccountRate lets each account make so many requests in any minute.
type AccountRate struct {
	rpm    int
	shared requestTaker // counts for all nodes that share the records; nil = this process counts

	mu     sync.Mutex        // guards recent
	recent map[int64]*window // by account id
}

// requestTaker is a store that counts the requests of accounts.
type requestTaker interface {
	// TakeRequest counts a request of an account that may make rpm in any minute, or
	// returns how long to wait.
	TakeRequest(ctx context.Context, account int64, rpm int) (wait time.Duration, err error)
}

// window is a ring of the times of the last accepted requests.
type window struct {
	times []time.Time
	next  int // index of the oldest, once the ring is full
}

// NewAccountRate returns a rate of rpm requests a minute. It counts in shared, the records
// of several services, if these can count; shared may be nil.
func NewAccountRate(rpm int, shared store.Store) *AccountRate {
	l := &AccountRate{rpm: rpm, recent: map[int64]*window{}}
	l.shared, _ = shared.(requestTaker)
	return l
}

// Take counts a request, or returns how long to wait.
func (l *AccountRate) Take(ctx context.Context, account int64) (wait time.Duration, err error) {
	if l.shared != nil {
		return l.shared.TakeRequest(ctx, account, l.rpm)
	}
	return l.takeLocally(account, time.Now()), nil
}

// takeLocally counts a request at a given time in this process.
func (l *AccountRate) takeLocally(account int64, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.recent[account]
	if w == nil {
		w = &window{}
		l.recent[account] = w
	}
	if len(w.times) < l.rpm {
		w.times = append(w.times, now)
		return 0
	}
	if wait := time.Minute - now.Sub(w.times[w.next]); wait > 0 {
		return wait
	}
	w.times[w.next] = now
	w.next = (w.next + 1) % l.rpm
	return 0
}
