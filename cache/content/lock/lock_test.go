package lock

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func init() { Check() }

// ranks are all ranks, in their order.
var ranks = []Rank{
	Load{}, Body{}, Failures{}, Flights{}, Store{}, Outbox{}, Table{}, Reading{}, Contents{}, Names{},
}

func TestEachRankHasItsPlace(t *testing.T) {
	require.Len(t, Order, len(ranks))
	for i, r := range ranks {
		require.Equal(t, Order[i], reflect.TypeOf(r).Name())
	}
}

func TestALockAgainstTheOrderEndsTheProcess(t *testing.T) {
	var store RWMutex[Store]
	var body, other Mutex[Body]
	var outbox, another Mutex[Outbox]
	body.Lock()
	other.Lock()
	store.RLock()
	outbox.Lock()
	require.True(t, Holds[Store]())
	require.PanicsWithValue(t, "the lock Outbox is taken under Outbox: against the order", another.Lock)
	require.PanicsWithValue(t, "the lock Store is taken under Store: against the order", store.RLock)
	require.PanicsWithValue(t, "the lock Body is taken under Store: against the order", body.Lock)
	outbox.Unlock()
	store.RUnlock()
	body.Unlock()
	other.Unlock()
	require.False(t, Holds[Store]())
	require.Empty(t, held.ranks)
}

func TestEachGoroutineHasItsOwn(t *testing.T) {
	var store Mutex[Store]
	var body Mutex[Body]
	store.Lock()
	var work sync.WaitGroup
	work.Go(func() {
		require.False(t, Holds[Store]())
		body.Lock()
		defer body.Unlock()
	})
	work.Wait()
	store.Unlock()
}

// TestAWaitForALockEndsWithItsContext ends a wait: the lock is free for the next one afterwards.
func TestAWaitForALockEndsWithItsContext(t *testing.T) {
	var m Mutex[Load]
	m.Lock()
	over, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, m.LockUntil(over), context.Canceled)
	waits := make(chan error)
	go func() {
		err := m.LockUntil(t.Context())
		m.Unlock()
		waits <- err
	}()
	m.Unlock()
	require.NoError(t, <-waits)
	require.NoError(t, m.LockUntil(over), "it is free, and who has it need not wait")
	m.Unlock()
}
