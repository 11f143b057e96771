package ratelimit

import "time"

// Budget is the state of the request limit.
type Budget struct {
	Limit             int       // requests a minute, 0 for no limit
	Full              int       // what Limit is again when the service has refused nothing for a while
	Used              int       // begun within the last minute
	NextFree          time.Time // when a call that came now could begin
	NextStart         time.Time // when the first of the waiting calls begins; zero if none waits
	Waiting           int       // calls that wait for their turn, and that somebody waits for
	WaitingBackground int
}

// nextLocked returns when the next calls of a class may begin, so many at once.
func (l *Limiter) nextLocked(p Class, calls int, now time.Time) time.Time {
	if l.limit == 0 {
		return later(now, l.held)
	}
	more := calls - 1
	at := l.freeLocked(l.limit-more, now)
	if p == Background {
		at = later(l.freeLocked(l.limit-l.reserveLocked()-more, now), l.last.Add(Window/time.Duration(l.limit)))
		if half := l.limit/2 - more; half > 0 {
			at = earlier(at, l.freeLocked(half, now))
		}
	}
	return later(at, l.held)
}

// reserveLocked returns how much of the limit background calls leave to interactive ones.
func (l *Limiter) reserveLocked() int {
	if l.limit < 2 {
		return 0
	}
	return max(1, l.limit/10)
}

// freeLocked returns when fewer than n of the begun calls are within the window; for n below 1, when
// none is.
func (l *Limiter) freeLocked(n int, now time.Time) time.Time {
	n = max(n, 1)
	if len(l.starts) < n {
		return now
	}
	return l.starts[len(l.starts)-n].Add(Window)
}

// estimateLocked returns the latest time at which an interactive call begins that has so
// many calls of its class before it: a window after the call that is limit places before
// it.
func (l *Limiter) estimateLocked(now time.Time, ahead int) time.Time {
	begin := later(now, l.held)
	place := len(l.starts) + ahead
	if l.limit == 0 || place < l.limit {
		return begin
	}
	var windows time.Duration
	for place >= max(len(l.starts), l.limit) {
		place -= l.limit
		windows++
	}
	if place < len(l.starts) {
		begin = l.starts[place]
	}
	return later(begin.Add(windows*Window), l.held)
}

func callsOf(all []*waiting) (calls int) {
	for _, w := range all {
		calls += w.calls
	}
	return calls
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Budget returns how much of the limit is used.
func (l *Limiter) Budget() Budget {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	l.expireLocked(now)
	b := Budget{
		Limit: l.limit, Full: l.full, Used: len(l.starts), NextFree: l.estimateLocked(now, callsOf(l.waiting[Interactive])),
		Waiting: callsOf(l.waiting[Interactive]), WaitingBackground: callsOf(l.waiting[Background]),
	}
	switch {
	case b.Waiting > 0:
		b.NextStart = l.nextLocked(Interactive, l.waiting[Interactive][0].calls, now)
	case b.WaitingBackground > 0:
		b.NextStart = l.nextLocked(Background, l.waiting[Background][0].calls, now)
	}
	return b
}
