package media

import (
	"maps"
	"slices"
)

// Unmounted ends the files that were closed and whose release does not come: the
// kernel drops the releases that it has not sent when a mount ends. It is called once
// no program can reach the mount; what the server still works on may end later.
func (s *Store) Unmounted() {
	s.mu.Lock()
	closed := slices.Collect(maps.Values(s.closing))
	clear(s.closing)
	s.settling += len(closed)
	for _, n := range closed {
		n.Own().Handles, n.Own().Writers = 0, 0
		s.unblankLocked(n)
		s.offerLocked(n)
	}
	s.mu.Unlock()
	for _, n := range closed {
		s.released(n, s.enter() == nil)
	}
}
