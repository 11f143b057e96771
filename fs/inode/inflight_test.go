package inode

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

func TestRequestsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x inFlight
		x.await(1)
		x.enter(1)
		x.enter(1)
		x.await(2)
		gap := after(func() { x.await(1) })
		require.False(t, gap())
		x.leave(1)
		require.False(t, gap(), "one request is still in flight")
		x.leave(1)
		require.True(t, gap())
		require.Empty(t, x.nodes)
	})
}

// TestTurns checks that a request that arrives while a notification waits begins after it, and that
// all waiting notifications proceed together.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x inFlight
		x.enter(1)
		first, second := after(func() { x.await(1) }), after(func() { x.await(1) })
		require.False(t, first())
		late := after(func() { x.enter(1) })
		require.False(t, late(), "the notifications come first")
		elsewhere := after(func() { x.enter(2); x.leave(2) })
		require.True(t, elsewhere())
		x.leave(1)
		require.True(t, first())
		require.True(t, second())
		require.True(t, late())
		third := after(func() { x.await(1) })
		require.False(t, third(), "the delayed request is in flight now")
		x.leave(1)
		require.True(t, third())
		require.Empty(t, x.nodes)
	})
}

// TestNotificationsHaveTheirTurnUnderManyRequests checks that notifications proceed although, without
// them, there would always be a request in flight.
func TestNotificationsHaveTheirTurnUnderManyRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x inFlight
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
						x.enter(1)
						time.Sleep(time.Second)
						x.leave(1)
					}
				}
			})
		}
		for range 10 {
			x.await(1)
		}
		close(ended)
		readers.Wait()
		require.Empty(t, x.nodes)
	})
}
