package media

import (
	"errors"
	"time"

	"paperfs/remote"
)

// passing reports whether a failure may be over when the same is tried again.
func passing(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Stalled, remote.Broken:
		return true
	case remote.Status:
		return e.Status >= 500
	}
	return general(err)
}

// general reports whether a failure that passes concerns everything that is
// sent, not one file.
func general(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Unreachable, remote.Throttled, remote.OverBudget:
		return true
	case remote.Refused:
		return e.Code == remote.ReadOnly
	}
	return false
}

// longestPause is the longest time between two attempts.
const longestPause = time.Minute

// pauseAfter is how long to wait after the n-th failure in a row.
func pauseAfter(n int) time.Duration {
	return min(time.Second<<min(n-1, 10), longestPause)
}

// postpone has n tried again later: after a pause of its own, or, where the
// failure concerns everything, of the whole queue. s.mu must be held.
func (s *Store) postpone(n *node, d *delivery, err error) {
	d.attempts++
	d.last = err
	if general(err) {
		s.hold()
		return
	}
	pause := s.o.pause(d.attempts)
	d.paused, d.next = true, s.o.Now().Add(pause)
	time.AfterFunc(pause, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		d.paused = false
		if n.delivery == d {
			s.offer(n)
		}
	})
}

// hold stops the queue for a while; s.mu must be held.
func (s *Store) hold() {
	if s.held {
		return
	}
	s.pauses++
	pause := s.o.pause(s.pauses)
	s.held, s.heldUntil = true, s.o.Now().Add(pause)
	time.AfterFunc(pause, func() {
		s.mu.Lock()
		s.held = false
		s.mu.Unlock()
		signal(s.send)
	})
}

// RetryNow forgets all pauses and tries what is queued.
func (s *Store) RetryNow() {
	s.mu.Lock()
	s.held, s.pauses = false, 0
	for _, n := range s.queued {
		n.delivery.paused = false
		s.offer(n)
	}
	s.mu.Unlock()
	signal(s.send)
}
