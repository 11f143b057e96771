package s3store

import (
	"slices"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

// mostStuck limits how many stuck contents are remembered. Those beyond it are tried in each
// round.
const mostStuck = 10 * batch

// stuck remembers contents that could not be removed and wait. Each node remembers its own; after
// a restart it tries them again.
type stuck struct {
	mu    sync.Mutex           // guards until; taken alone
	until map[string]time.Time // when to try again, by key
}

// without returns the contents that do not wait.
func (s *stuck) without(all []store.Leftover, now time.Time) []store.Leftover {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(now)
	return slices.DeleteFunc(slices.Clone(all), func(l store.Leftover) bool { _, waits := s.until[l.Key]; return waits })
}

// count returns how many contents wait.
func (s *stuck) count(now time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(now)
	return len(s.until)
}

// forgetLocked forgets the contents that have waited long enough.
func (s *stuck) forgetLocked(now time.Time) {
	for key, until := range s.until {
		if !until.After(now) {
			delete(s.until, key)
		}
	}
}

// add makes contents wait, as long as there is room for them.
func (s *stuck) add(stay map[string]error, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until = map[string]time.Time{}
	}
	for key := range stay {
		if _, known := s.until[key]; !known && len(s.until) >= mostStuck {
			return
		}
		s.until[key] = until
	}
}
