package s3store

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// mostStuck bounds what is known of contents that could not be removed.
const mostStuck = 10 * batch

// stuck are contents that could not be removed, of which others are not to wait. Each
// node knows its own: one that begins again tries them again.
type stuck struct {
	mu    sync.Mutex           // guards until; taken alone
	until map[string]time.Time // when to try again, by key
}

// keys are those that are not to be tried yet.
func (s *stuck) keys(now time.Time) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.until, func(_ string, until time.Time) bool { return !until.After(now) })
	return slices.Collect(maps.Keys(s.until))
}

// add has contents wait. It reports false where there is no room for that.
func (s *stuck) add(stay map[string]error, until time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until = map[string]time.Time{}
	}
	for key := range stay {
		if len(s.until) >= mostStuck {
			return false
		}
		s.until[key] = until
	}
	return true
}
