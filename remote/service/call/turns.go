package call

import (
	"context"
	"fmt"

	"golang.org/x/sync/singleflight"

	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
)

// lineKey is the key of a context that says in whose line its reads wait: a tenant's, by its id, or that of strangers, who
// have shown no good credentials. Without it they are the service's own.
type lineKey struct{}

const strangerLine int64 = -1

func inLine(ctx context.Context, line int64) context.Context {
	return context.WithValue(ctx, lineKey{}, line)
}

// turns is a store whose reads take turns between tenants, strangers and the service itself: however many of one wait,
// the first of another waits for none of them.
type turns struct {
	store.Store
	gate  *admission.Gate
	asked singleflight.Group // look-ups that have not begun: the same one joins them
}

// Read implements store.Store.
func (s *turns) Read(ctx context.Context, f func(store.Reader) error) error {
	return s.take(ctx, func() error { return s.Store.Read(ctx, f) })
}

// Caller implements store.Store.
func (s *turns) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	name := fmt.Sprintf("%v %q %q", ctx.Value(lineKey{}), host, account)
	found, err, _ := s.asked.Do(name, func() (found any, err error) {
		err = s.take(ctx, func() (err error) {
			s.asked.Forget(name) // who asks from now on may know of a later change
			found, err = s.Store.Caller(ctx, host, account)
			return err
		})
		return found, err
	})
	k, _ := found.(store.Caller)
	return k, err
}

// take runs a read in its turn.
func (s *turns) take(ctx context.Context, read func() error) error {
	line, _ := ctx.Value(lineKey{}).(int64)
	place := s.gate.Ticket(line)
	defer place.Leave()
	if err := place.Enter(ctx); err != nil {
		return err
	}
	return read()
}
