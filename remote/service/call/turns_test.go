package call

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// queried is a store that notes who is looked for.
type queried struct {
	store.Store
	mu    sync.Mutex
	names []string
}

func (q *queried) Read(_ context.Context, f func(store.Reader) error) error { return f(nil) }

func (q *queried) Caller(_ context.Context, _, account string) (store.Caller, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.names = append(q.names, account)
	return store.Caller{Account: store.Account{Name: account}}, nil
}

// held returns a store all of whose reads are taken by one tenant, and what ends one of them.
func held(t *testing.T, tenant int64) (q *queried, s *turns, release chan struct{}) {
	q, release = &queried{}, make(chan struct{})
	s = &turns{Store: q, gate: admission.NewGate(store.Readers, 10*time.Second)}
	ctx := inLine(t.Context(), tenant)
	for range store.Readers {
		go func() { _ = s.Read(ctx, func(store.Reader) error { <-release; return nil }) }()
	}
	synctest.Wait()
	return q, s, release
}

// TestReadsTakeTurns lets a thousand reads of a tenant and a thousand look-ups of strangers wait, and then a read of another
// tenant: it waits for none of them.
func TestReadsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, s, release := held(t, 1)
		for i := range 1000 {
			go func() { _ = s.Read(inLine(t.Context(), 1), func(store.Reader) error { <-release; return nil }) }()
			go func() { _, _ = s.Caller(inLine(t.Context(), strangerLine), "h", fmt.Sprint(i)) }()
		}
		synctest.Wait()
		before := -1
		go func() {
			_ = s.Read(inLine(t.Context(), 2), func(store.Reader) error {
				q.mu.Lock()
				defer q.mu.Unlock()
				before = len(q.names)
				return nil
			})
		}()
		synctest.Wait()
		release <- struct{}{}
		synctest.Wait()
		require.LessOrEqual(t, before, 1)
		require.GreaterOrEqual(t, before, 0, "it has had its turn")
		close(release)
	})
}

// TestOneQueryAnswersAllThatWait lets a thousand ask for one caller while nothing can be read, and one for another.
func TestOneQueryAnswersAllThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, s, release := held(t, 1)
		var all sync.WaitGroup
		for i := range 1000 {
			name := "a"
			if i == 500 {
				name = "b"
			}
			all.Go(func() {
				k, err := s.Caller(inLine(t.Context(), strangerLine), "h", name)
				if err != nil || k.Account.Name != name {
					t.Error(k, err)
				}
			})
		}
		synctest.Wait()
		require.Empty(t, q.names)
		close(release)
		all.Wait()
		require.ElementsMatch(t, []string{"a", "b"}, q.names)
		testrun.Must(s.Caller(t.Context(), "h", "a"))(t)
		require.Len(t, q.names, 3, "nothing is remembered")
	})
}
