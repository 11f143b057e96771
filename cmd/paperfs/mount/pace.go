package mount

import "time"

const (
	// afterNews is the pause after news that came after a while of quiet: changes come together.
	afterNews = time.Second
	// whileGoingOn is the pause while changes go on, if the limit of requests allows it.
	whileGoingOn = 5 * time.Second
	// slowest is the pause while changes go on at the usual limit.
	slowest = 10 * time.Second
)

// pace spaces the requests of a follower.
type pace struct {
	news   time.Time   // when news last came
	starts []time.Time // of the requests of the last minute, oldest first
}

// share is how many requests a minute go to waiting, 6 of 45; 0: no limit.
func share(rpm int) int {
	if rpm == 0 {
		return 0
	}
	return max(1, rpm*6/45)
}

// after returns the pause after news that came now.
func (p *pace) after(now time.Time, rpm int) time.Duration {
	quiet := now.Sub(p.news)
	p.news = now
	if quiet > whileGoingOn+afterNews {
		return afterNews
	}
	if most := share(rpm); most > 0 {
		return max(whileGoingOn, time.Minute/time.Duration(most))
	}
	return whileGoingOn
}

// turn returns how long a request that begins next has to wait for its share of the limit.
func (p *pace) turn(now time.Time, rpm int) time.Duration {
	most := share(rpm)
	if most == 0 {
		return 0
	}
	var pause time.Duration
	if n := len(p.starts); n >= most {
		pause = max(0, p.starts[n-most].Add(time.Minute).Sub(now))
		p.starts = p.starts[n-most+1:]
	}
	p.starts = append(p.starts, now.Add(pause))
	return pause
}
