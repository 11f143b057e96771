package media

import "time"

// longestLull is for how many lulls the queue waits for one that does not come.
const longestLull = 20

// bustle is how busy those are who close files. Store.mu guards it.
type bustle struct {
	last  time.Time // something was queued
	since time.Time // something can be sent, without a gap
}

// untilLull is how long to wait before something is sent: a program that
// copies many files gets the processor first, and what it writes again at once
// is not sent twice.
func (s *Store) untilLull() time.Duration {
	if s.o.Lull < 0 || !s.o.WriteBack {
		return 0
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.line) == 0 {
		return 0
	}
	return max(0, min(s.o.Lull-time.Since(s.bustle.last), longestLull*s.o.Lull-time.Since(s.bustle.since)))
}
