package postgresstore

import (
	"context"
	"slices"
	"sync"
)

// turns lets one change of a tenant at a time have a connection, in the order they
// came: those that wait for the tenant's lock would have all, and other tenants none.
type turns struct {
	mu   sync.Mutex
	line map[int64][]chan *batch // who waits, by tenant; one that nobody changes is not in it
}

// wait returns when it is the turn of a change: with the transaction that it is to join,
// or nil where it begins one. It calls leave at its end, unless it gave its turn to next.
func (s *turns) wait(ctx context.Context, tenant int64) (*batch, error) {
	s.mu.Lock()
	line, busy := s.line[tenant]
	if !busy {
		if s.line == nil {
			s.line = map[int64][]chan *batch{}
		}
		s.line[tenant] = nil
		s.mu.Unlock()
		return nil, nil
	}
	mine := make(chan *batch, 1)
	s.line[tenant] = append(line, mine)
	s.mu.Unlock()
	select {
	case b := <-mine:
		return b, nil
	case <-ctx.Done():
	}
	if s.giveUp(tenant, mine) {
		return nil, context.Cause(ctx)
	}
	return <-mine, nil // it is its turn already
}

// giveUp reports whether one still waited.
func (s *turns) giveUp(tenant int64, mine chan *batch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := s.line[tenant]
	at := slices.Index(line, mine)
	if at >= 0 {
		s.line[tenant] = slices.Delete(line, at, at+1)
	}
	return at >= 0
}

// next takes the first out of the line, to be given the turn: nil where nobody waits.
func (s *turns) next(tenant int64) chan<- *batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nextLocked(tenant)
}

func (s *turns) nextLocked(tenant int64) chan<- *batch {
	line := s.line[tenant]
	if len(line) == 0 {
		return nil
	}
	first := line[0]
	s.line[tenant] = slices.Delete(line, 0, 1)
	return first
}

// leave gives the turn to the first in the line, or to who comes.
func (s *turns) leave(tenant int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if next := s.nextLocked(tenant); next != nil {
		next <- nil
		return
	}
	delete(s.line, tenant)
}
