package reading

import (
	"os"
	"slices"
)

// dropLocked drops what is here of a source.
func (s *Source) dropLocked() {
	p := s.pool
	if s.unidleLocked(); s.dropped || s.keeping { // who keeps it drops it then
		return
	}
	s.dropped = true
	delete(p.sources, s)
	delete(p.hungry, s)
	p.stopLocked(s.stream)
	for _, b := range s.blocks {
		p.loseLocked(b)
	}
	switch {
	case s.disk == nil:
	case s.kept:
		_ = s.disk.Close()
		s.unpin()
	default:
		discard(s.disk)
	}
	s.failLocked(errClosed)
}

func (s *Source) unidleLocked() {
	if s.idling != nil {
		s.pool.idle.Remove(s.idling)
		s.idling = nil
	}
}

// stopLocked ends a stream, which may be nil. Those that wait for it look again.
func (p *Pool) stopLocked(st *stream) {
	if st == nil || st.done {
		return
	}
	st.done = true
	st.cancel()
	p.streams = slices.DeleteFunc(p.streams, func(other *stream) bool { return other == st })
	st.source.stream = nil
	st.source.wakeLocked()
	p.feedLocked()
}

// discard closes and removes a file.
func discard(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
