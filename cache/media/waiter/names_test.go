package waiter

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func newNames() *Names {
	p := new(Names)
	p.Init()
	return p
}

// TestANameHasOneChangeAtATime lets many changes lock names in every order: none deadlocks, and none
// has a name of another, in whatever case.
func TestANameHasOneChangeAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newNames()
		var users [3]atomic.Int32
		names := [3][2]Name{{NameOf(1, "a"), NameOf(1, "A")}, {NameOf(1, "b"), NameOf(1, "B")}, {NameOf(2, "a"), NameOf(2, "A")}}
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

// TestACallerThatLeavesGetsNoLock checks that a caller that leaves while it waits gets no lock, and that a
// change whose caller has left is late until it ends.
func TestACallerThatLeavesGetsNoLock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newNames()
		ctx, leave := With(t.Context())
		unlock, err := p.LockFor(ctx, NameOf(1, "a"))
		require.NoError(t, err)
		second, leaveSecond := With(t.Context())
		time.AfterFunc(time.Second, leaveSecond)
		_, err = p.LockFor(second, NameOf(1, "b"), NameOf(1, "a"))
		require.ErrorIs(t, err, ErrLeft)
		p.Lock(NameOf(1, "b"))() // nobody has it

		require.NoError(t, p.AwaitLate(t.Context(), NameOf(1, "a")), "its caller still waits")
		leave()
		require.True(t, p.Late())
		short, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		require.ErrorIs(t, p.AwaitLate(short, NameOf(1, "b"), NameOf(1, "a")), context.DeadlineExceeded)
		time.AfterFunc(time.Second, unlock)
		require.NoError(t, p.AwaitLate(t.Context(), NameOf(1, "A")))
		require.False(t, p.Late())
		p.Lock(NameOf(1, "a"))()
		require.False(t, p.Late())
	})
}
