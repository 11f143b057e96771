package reading

import "context"

// awaitLocked waits, with Pool.mu released, until something changes.
func (s *Source) awaitLocked(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	changed := s.changed
	s.pool.mu.Unlock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
	s.pool.mu.Lock()
	return ctx.Err()
}

func (s *Source) wakeLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// pokeLocked wakes the stream if it waits for its reader.
func (s *Source) pokeLocked() {
	if s.stream != nil && (s.stream.waits || s.pool.hungry[s]) {
		s.wakeLocked()
	}
}

// failLocked records that nothing can be read any more.
func (s *Source) failLocked(err error) {
	if s.err == nil {
		s.err = err
	}
	s.wakeLocked()
}

func (s *Source) damagedLocked(detail string) error {
	s.failLocked(&DamagedError{Detail: detail})
	return s.err
}

// neededLocked reports whether a read waits for what the stream fetches next or later.
func (s *Source) neededLocked() bool {
	for i := range s.awaited {
		if i >= s.next && s.singles[i] == nil && s.blocks[i] == nil {
			return true
		}
	}
	return false
}
