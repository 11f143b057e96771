package ratelimit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

// arrival is a call that waits in a limiter.
type arrival struct {
	at      time.Time
	waiting *waiting
	class   Class
}

// arrive puts a call into the queue as acquire does, without its wait.
func arrive(l *Limiter, p Class) arrival { return arriveAll(l, p, 1) }

func arriveAll(l *Limiter, p Class, calls int) arrival {
	w := &waiting{calls: calls}
	_ = l.enter(p, 0, w)
	return arrival{l.clock.Now(), w, p}
}

func (a arrival) begun() bool {
	select {
	case <-a.waiting.ready:
		return true
	default:
		return false
	}
}

// TestLimiterProperties checks that at most limit calls begin in any window, that every call
// begins in the end, that an interactive call begins no later than estimated, that each class
// keeps its order, and that no background call begins while a person waits.
func TestLimiterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 30).Draw(t, "limit")
		fake := testrun.NewClock()
		l := New(limit, fake.Clock())
		var all []arrival
		promised := map[int]time.Time{}
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "advance") == 0 {
				fake.Advance(time.Duration(rapid.Int64Range(0, int64(70*time.Second)).Draw(t, "by")))
				continue
			}
			p := Class(rapid.IntRange(0, 1).Draw(t, "class"))
			if p == Interactive {
				promised[len(all)] = fake.Now().Add(l.Budget().NextFree.Sub(fake.Now()))
			}
			if rapid.IntRange(0, 30).Draw(t, "held") == 0 && p == Background {
				l.Throttled(time.Time{}, 10*time.Second)
			}
			calls := 1
			if p == Background {
				calls = rapid.IntRange(1, 3).Draw(t, "calls")
			}
			all = append(all, arriveAll(l, p, calls))
		}
		fake.Advance(time.Duration(len(all)+2) * 2 * Window)
		var starts []time.Time
		last := [classes]time.Time{}
		for i, a := range all {
			require.True(t, a.begun(), "call %d never began", i)
			starts = append(starts, slices.Repeat([]time.Time{a.waiting.start}, a.waiting.calls)...)
			require.False(t, a.waiting.start.Before(last[a.class]), "calls of one class must keep their order")
			last[a.class] = a.waiting.start
			if at, ok := promised[i]; ok && l.held.IsZero() {
				require.False(t, a.waiting.start.After(at), "call %d began at %s instead of %s", i, a.waiting.start, at)
			}
		}
		for _, a := range all {
			for _, b := range all {
				overtaken := a.class == Interactive && b.class == Background &&
					b.waiting.start.After(a.at) && b.waiting.start.Before(a.waiting.start)
				require.False(t, overtaken, "a background call began while a person waited")
			}
		}
		slices.SortFunc(starts, time.Time.Compare)
		for i := limit; i < len(starts); i++ {
			require.GreaterOrEqual(t, starts[i].Sub(starts[i-limit]), Window)
		}
	})
}

// TestBackgroundLeavesRoom checks that a person waits for seconds, not a minute, while a long
// queue of uploads is sent.
func TestBackgroundLeavesRoom(t *testing.T) {
	fake := testrun.NewClock()
	l := New(45, fake.Clock())
	for range 500 {
		arrive(l, Background)
	}
	var worst time.Duration
	for range 300 {
		fake.Advance(10 * time.Second)
		a := arrive(l, Interactive)
		for !a.begun() {
			fake.Advance(100 * time.Millisecond)
		}
		worst = max(worst, a.waiting.start.Sub(a.at))
	}
	require.LessOrEqual(t, worst, 2*time.Second)
}

func TestBackgroundUsesTheBudget(t *testing.T) {
	fake := testrun.NewClock()
	l := New(45, fake.Clock())
	var last arrival
	for range 1000 {
		last = arrive(l, Background)
	}
	for !last.begun() {
		fake.Advance(time.Second)
	}
	require.Less(t, last.waiting.start.Sub(last.at), 26*time.Minute)
}

// TestBudgetTellsWhenTheNextWaitingCallBegins checks that the budget reports the waits: first
// the person's call, then those of the queue.
func TestBudgetTellsWhenTheNextWaitingCallBegins(t *testing.T) {
	fake := testrun.NewClock()
	began := fake.Now()
	l := New(2, fake.Clock())
	require.Zero(t, l.Budget().NextStart)
	arrive(l, Interactive)
	fake.Advance(10 * time.Second)
	arrive(l, Interactive)
	queued := arrive(l, Background)
	fake.Advance(10 * time.Second)
	at := l.Budget().NextStart
	require.True(t, at.After(began), at)
	person := arrive(l, Interactive)
	require.Equal(t, began.Add(Window), l.Budget().NextStart)
	fake.Advance(40 * time.Second)
	require.True(t, person.begun())
	next := l.Budget()
	require.Equal(t, 1, next.WaitingBackground)
	fake.Advance(next.NextStart.Sub(fake.Now()) - time.Nanosecond)
	require.False(t, queued.begun())
	fake.Advance(next.NextStart.Sub(fake.Now()) + time.Nanosecond)
	require.True(t, queued.begun())
	require.Equal(t, next.NextStart, queued.waiting.start)
}
