package postgresstore

import (
	"context"
	"slices"
	"sync"
)

// turns lets one change of a tenant at a time have a connection, in order of arrival. Otherwise
// the changes that wait for one tenant's lock could occupy all connections.
type turns struct {
	mu   sync.Mutex
	line map[int64][]chan *batch // who waits, by tenant; a tenant without a running change has no entry
}

// wait returns when it is the change's turn: with the transaction to join, or nil if the change
// must begin one. At its end the change calls leave, unless it passed the turn to the channel
// from next.
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
	return <-mine, nil // it already has the turn
}

// giveUp leaves the line, and reports whether it was still in it.
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

// next removes the first change from the line, which then must get the turn; nil if none waits.
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

// leave passes the turn to the first in line. If none waits, the tenant is free.
func (s *turns) leave(tenant int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if next := s.nextLocked(tenant); next != nil {
		next <- nil
		return
	}
	delete(s.line, tenant)
}
