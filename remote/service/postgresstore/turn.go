package postgresstore

import (
	"context"
	"sync"
)

// turns lets one change of a tenant at a time have a connection: those that wait for
// the tenant's lock would have all, and other tenants none.
type turns struct {
	mu      sync.Mutex
	waiting map[int64]*turn // by tenant
}

type turn struct {
	taken chan struct{} // holds one while a change has its turn
	count int           // of those that have it or wait for it
}

// wait returns when it is the turn of a change, which calls leave at its end.
func (s *turns) wait(ctx context.Context, tenant int64) (leave func(), err error) {
	s.mu.Lock()
	if s.waiting == nil {
		s.waiting = map[int64]*turn{}
	}
	t := s.waiting[tenant]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		s.waiting[tenant] = t
	}
	t.count++
	s.mu.Unlock()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.count--; t.count == 0 {
			delete(s.waiting, tenant)
		}
	}
	select {
	case t.taken <- struct{}{}:
		return func() { <-t.taken; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, context.Cause(ctx)
	}
}
