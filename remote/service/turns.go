package service

import (
	"context"
	"sync"

	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
)

// lineKey is the key of a context that says in whose line its reads of the store wait: an int64. Without it they
// are the service's own.
type lineKey struct{}

const (
	ownLine      int64 = 0
	strangerLine int64 = -1 // of requests without good credentials; tenants have their ids
)

func inLine(ctx context.Context, line int64) context.Context {
	return context.WithValue(ctx, lineKey{}, line)
}

func lineOf(ctx context.Context) int64 {
	line, ok := ctx.Value(lineKey{}).(int64)
	if !ok {
		return ownLine
	}
	return line
}

// turns is a store whose reads take turns between tenants, strangers and the service itself: however many of one wait,
// the first of another waits for none of them.
type turns struct {
	store.Store
	gate *admission.Gate

	mu    sync.Mutex // guards asked
	asked map[question]*callerAnswer
}

// question is one that waits for its turn. Another one joins it, and gets the answer to its query, which has not begun.
type question struct {
	line          int64
	host, account string
}

type callerAnswer struct {
	done  chan struct{} // closed when the rest is set
	found store.Caller
	err   error
}

func takingTurns(s store.Store, gate *admission.Gate) *turns {
	return &turns{Store: s, gate: gate, asked: map[question]*callerAnswer{}}
}

// Read implements store.Store.
func (s *turns) Read(ctx context.Context, f func(store.Reader) error) error {
	place := s.gate.Ticket(lineOf(ctx))
	defer place.Leave()
	if err := place.Enter(ctx); err != nil {
		return err
	}
	return s.Store.Read(ctx, f)
}

// Caller implements store.Store.
func (s *turns) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	q := question{lineOf(ctx), host, account}
	place := s.gate.Ticket(q.line)
	defer place.Leave()
	if place.Try() {
		return s.Store.Caller(ctx, host, account)
	}
	s.mu.Lock()
	a, joined := s.asked[q]
	if !joined {
		a = &callerAnswer{done: make(chan struct{})}
		s.asked[q] = a
	}
	s.mu.Unlock()
	if joined {
		<-a.done
		return a.found, a.err
	}
	defer close(a.done)
	a.err = place.Enter(ctx)
	s.mu.Lock()
	delete(s.asked, q)
	s.mu.Unlock()
	if a.err == nil {
		a.found, a.err = s.Store.Caller(ctx, host, account)
	}
	return a.found, a.err
}
