package service

import (
	"context"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

// accountRate lets each account make so many requests in any minute.
type accountRate struct {
	rpm    int
	shared requestTaker // counts for all who share the records; nil = they are counted here

	mu     sync.Mutex        // guards recent
	recent map[int64]*window // by account id
}

// requestTaker is a store that counts the requests of accounts.
type requestTaker interface {
	// TakeRequest counts a request of an account that may make so many in any minute,
	// or says how long to wait instead.
	TakeRequest(ctx context.Context, account int64, rpm int) (wait time.Duration, err error)
}

// window is a ring of the times of the last accepted requests.
type window struct {
	times []time.Time
	next  int // the oldest, where the ring is full
}

// newAccountRate counts in the records that several services share, which may be nil.
func newAccountRate(rpm int, apart store.Store) *accountRate {
	l := &accountRate{rpm: rpm, recent: map[int64]*window{}}
	l.shared, _ = apart.(requestTaker)
	return l
}

// take counts a request, or says how long to wait instead.
func (l *accountRate) take(ctx context.Context, account int64) (wait time.Duration, err error) {
	if l.shared != nil {
		return l.shared.TakeRequest(ctx, account, l.rpm)
	}
	return l.takeHere(account, time.Now()), nil
}

// takeHere is take at a time.
func (l *accountRate) takeHere(account int64, now time.Time) (wait time.Duration) {
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
