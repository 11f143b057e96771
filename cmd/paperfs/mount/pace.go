package mount

import "time"

const (
	// afterNews is the pause after news: changes come together.
	afterNews = time.Second
	// whileGoingOn is how far apart requests begin while changes go on, if the limit of requests allows it.
	whileGoingOn = 5 * time.Second
	// slowest is how far apart they begin at the usual limit.
	slowest = 10 * time.Second
)

// pace lets the requests of a follower begin a time apart. One may begin early, if none did so just before: after a
// while of quiet two changes are told at once.
type pace struct {
	next time.Time // when the next request is not early
}

// apart returns the time between the beginnings of two requests: a follower sends 6 of 45 requests a minute. rpm is the limit
// of the mount, 0 for none.
func apart(rpm int) time.Duration {
	if rpm == 0 {
		return whileGoingOn
	}
	return max(whileGoingOn, time.Minute/time.Duration(max(1, rpm*6/45)))
}

// turn returns how long a request has to wait before it begins.
func (p *pace) turn(now time.Time, rpm int) time.Duration {
	begin := now
	if early := p.next.Add(-apart(rpm)); early.After(now) {
		begin = early
	}
	if p.next.Before(begin) {
		p.next = begin
	}
	p.next = p.next.Add(apart(rpm))
	return begin.Sub(now)
}
