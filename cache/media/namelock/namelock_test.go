package namelock

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/waiter"
)

func newTable() *Table {
	p := new(Table)
	p.Init()
	return p
}

// TestANameHasOneChangeAtATime lets many changes lock names in every order: none deadlocks, and none
// has a name of another, in whatever case.
func TestANameHasOneChangeAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newTable()
		var users [3]atomic.Int32
		names := [3][2]Name{{Of(1, "a"), Of(1, "A")}, {Of(1, "b"), Of(1, "B")}, {Of(2, "a"), Of(2, "A")}}
		for i := range 60 {
			go func() {
				one, other := i%3, (i+1+i/3%2)%3
				unlock := p.Lock(names[one][i%2], names[other][i/2%2])
				defer unlock()
				for _, n := range []int{one, other} {
					if users[n].Add(1) != 1 {
						t.Errorf("two changes of one name")
					}
				}
				time.Sleep(time.Millisecond)
				users[one].Add(-1)
				users[other].Add(-1)
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Empty(t, p.held)
	})
}

// TestWhoLeavesWaitsNoLonger checks that a caller that leaves while it waits gets no lock, and that a
// change whose caller has left is late until it ends.
func TestWhoLeavesWaitsNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newTable()
		ctx, leave := waiter.With(t.Context())
		unlock, err := p.LockFor(ctx, Of(1, "a"))
		require.NoError(t, err)
		second, leaveSecond := waiter.With(t.Context())
		time.AfterFunc(time.Second, leaveSecond)
		_, err = p.LockFor(second, Of(1, "b"), Of(1, "a"))
		require.ErrorIs(t, err, waiter.ErrLeft)
		p.Lock(Of(1, "b"))() // nobody has it

		require.NoError(t, p.AwaitLate(t.Context(), Of(1, "a")), "its caller still waits")
		leave()
		require.True(t, p.Late())
		short, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		require.ErrorIs(t, p.AwaitLate(short, Of(1, "b"), Of(1, "a")), context.DeadlineExceeded)
		time.AfterFunc(time.Second, unlock)
		require.NoError(t, p.AwaitLate(t.Context(), Of(1, "A")))
		require.False(t, p.Late())
		p.Lock(Of(1, "a"))()
		require.False(t, p.Late())
	})
}
