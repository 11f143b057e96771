package inflight

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// after starts a call. The returned function reports whether the call has returned, once everything
// else waits.
func after(call func()) (returned func() bool) {
	done := make(chan struct{})
	go func() {
		call()
		close(done)
	}()
	return func() bool {
		synctest.Wait()
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
}

func TestTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x Table
		x.Await(1)
		x.Enter(1)
		x.Enter(1)
		x.Await(2)
		gap := after(func() { x.Await(1) })
		require.False(t, gap())
		x.Leave(1)
		require.False(t, gap(), "one request is still in flight")
		x.Leave(1)
		require.True(t, gap())
		require.Empty(t, x.nodes)
	})
}

// TestTurns checks that a request that arrives while a notification waits begins after it, and that
// all waiting notifications proceed together.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x Table
		x.Enter(1)
		first, second := after(func() { x.Await(1) }), after(func() { x.Await(1) })
		require.False(t, first())
		late := after(func() { x.Enter(1) })
		require.False(t, late(), "the notifications come first")
		elsewhere := after(func() { x.Enter(2); x.Leave(2) })
		require.True(t, elsewhere())
		x.Leave(1)
		require.True(t, first())
		require.True(t, second())
		require.True(t, late())
		third := after(func() { x.Await(1) })
		require.False(t, third(), "the delayed request is in flight now")
		x.Leave(1)
		require.True(t, third())
		require.Empty(t, x.nodes)
	})
}

// TestNotificationsHaveTheirTurnUnderManyRequests checks that notifications proceed although, without
// them, there would always be a request in flight.
func TestNotificationsHaveTheirTurnUnderManyRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x Table
		var readers sync.WaitGroup
		ended := make(chan struct{})
		for i := range 3 {
			readers.Go(func() {
				time.Sleep(time.Duration(i) * time.Second / 3)
				for {
					select {
					case <-ended:
						return
					default:
						x.Enter(1)
						time.Sleep(time.Second)
						x.Leave(1)
					}
				}
			})
		}
		for range 10 {
			x.Await(1)
		}
		close(ended)
		readers.Wait()
		require.Empty(t, x.nodes)
	})
}
