package service

import (
	"sync"
	"time"
)

// accountRate lets each account make so many requests in any minute.
type accountRate struct {
	mu     sync.Mutex // guards recent
	rpm    int
	recent map[int64]*window // by account id
}

// window is a ring of the times of the last accepted requests.
type window struct {
	times []time.Time
	next  int // the oldest, where the ring is full
}

func newAccountRate(rpm int) *accountRate {
	return &accountRate{rpm: rpm, recent: map[int64]*window{}}
}

// take counts a request at the given time, or says how long to wait instead.
func (l *accountRate) take(account int64, now time.Time) (wait time.Duration) {
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
