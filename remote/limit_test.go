package remote

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// fakeClock is a clock that a test moves; timers run when it passes them.
type fakeClock struct {
	mu     sync.Mutex
	at     time.Time
	timers []*fakeTimer
}

type fakeTimer struct {
	at time.Time
	f  func()
}

func newFakeClock() *fakeClock {
	return &fakeClock{at: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) clock() clock { return clock{now: c.now, afterFunc: c.afterFunc} }

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *fakeClock) afterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{c.at.Add(d), f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.timers, t)
		if i >= 0 {
			c.timers = slices.Delete(c.timers, i, i+1)
		}
		return i >= 0
	}
}

// advance moves the clock and runs what falls due, in order.
func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	end := c.at.Add(d)
	for {
		var next *fakeTimer
		for _, t := range c.timers {
			if !t.at.After(end) && (next == nil || t.at.Before(next.at)) {
				next = t
			}
		}
		if next == nil {
			break
		}
		i := slices.Index(c.timers, next)
		c.timers = slices.Delete(c.timers, i, i+1)
		c.at = later(c.at, next.at)
		c.mu.Unlock()
		next.f()
		c.mu.Lock()
	}
	c.at = end
	c.mu.Unlock()
}

// arrival is a call that waits in a limiter.
type arrival struct {
	at      time.Time
	waiting *waiting
	class   priority
}

// arrive puts a call into the queue as acquire does, without its wait.
func arrive(l *limiter, p priority) arrival {
	w, _ := l.enter(p, 0)
	return arrival{l.clock.now(), w, p}
}

func (a arrival) begun() bool {
	select {
	case <-a.waiting.ready:
		return true
	default:
		return false
	}
}

// Never do more than limit calls begin in any window; each begins at last; the
// estimate for an interactive call is kept, and within its class the order; and
// no background call begins while a person waits.
func TestLimiterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 30).Draw(t, "limit")
		fake := newFakeClock()
		l := newLimiter(limit, fake.clock())
		var all []arrival
		promised := map[int]time.Time{}
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "advance") == 0 {
				fake.advance(time.Duration(rapid.Int64Range(0, int64(70*time.Second)).Draw(t, "by")))
				continue
			}
			p := priority(rapid.IntRange(0, 1).Draw(t, "class"))
			if p == interactive {
				promised[len(all)] = fake.now().Add(l.budget().NextFree.Sub(fake.now()))
			}
			if rapid.IntRange(0, 30).Draw(t, "held") == 0 && p == background {
				l.throttled(time.Time{}, 10*time.Second)
			}
			all = append(all, arrive(l, p))
		}
		fake.advance(time.Duration(len(all)+2) * 2 * window)
		var starts []time.Time
		last := [priorities]time.Time{}
		for i, a := range all {
			require.True(t, a.begun(), "call %d never began", i)
			starts = append(starts, a.waiting.start)
			require.False(t, a.waiting.start.Before(last[a.class]), "order within a class")
			last[a.class] = a.waiting.start
			if at, ok := promised[i]; ok && l.held.IsZero() {
				require.False(t, a.waiting.start.After(at), "call %d began at %s instead of %s", i, a.waiting.start, at)
			}
		}
		for _, a := range all {
			for _, b := range all {
				overtaken := a.class == interactive && b.class == background &&
					b.waiting.start.After(a.at) && b.waiting.start.Before(a.waiting.start)
				require.False(t, overtaken, "a background call began while a person waited")
			}
		}
		slices.SortFunc(starts, time.Time.Compare)
		for i := limit; i < len(starts); i++ {
			require.GreaterOrEqual(t, starts[i].Sub(starts[i-limit]), window)
		}
	})
}

// A long queue of uploads leaves a person waiting for seconds, not a minute.
func TestBackgroundLeavesRoom(t *testing.T) {
	fake := newFakeClock()
	l := newLimiter(45, fake.clock())
	for range 500 {
		arrive(l, background)
	}
	var worst time.Duration
	for range 300 {
		fake.advance(10 * time.Second)
		a := arrive(l, interactive)
		for !a.begun() {
			fake.advance(100 * time.Millisecond)
		}
		worst = max(worst, a.waiting.start.Sub(a.at))
	}
	require.LessOrEqual(t, worst, 2*time.Second)
}

func TestBackgroundUsesTheBudget(t *testing.T) {
	fake := newFakeClock()
	l := newLimiter(45, fake.clock())
	var last arrival
	for range 1000 {
		last = arrive(l, background)
	}
	for !last.begun() {
		fake.advance(time.Second)
	}
	require.Less(t, last.waiting.start.Sub(last.at), 26*time.Minute)
}

func TestReadsDoNotWaitForLong(t *testing.T) {
	fake := newFakeClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.limiter = newLimiter(2, fake.clock())
	for range 2 {
		_, err := c.GetPaperUrlFromID(ctx, 1)
		require.NoError(t, err)
	}
	fake.advance(49 * time.Second)
	_, err := c.GetPaperUrlFromID(ctx, 1)
	require.Contains(t, fails(t, err, OverBudget).Reason(), "may be sent in 11s")
	require.Equal(t, 2, c.Stats().Budget.Used)
	require.Equal(t, fake.now().Add(11*time.Second), c.Stats().Budget.NextFree)

	// A change waits its turn, and gives it back when it is cancelled.
	cancelled, cancel := context.WithCancel(ctx)
	given := make(chan error)
	go func() { given <- c.MovePaper(cancelled, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, time.Minute, time.Millisecond)
	cancel()
	fails(t, <-given, Cancelled)
	require.Zero(t, c.Stats().Budget.Waiting)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, time.Minute, time.Millisecond)
	require.Len(t, s.requests(), 2)
	fake.advance(11 * time.Second)
	require.NoError(t, <-given)
}

func TestRetryAfterIsLearnt(t *testing.T) {
	fake := newFakeClock()
	s, c := serve(t, then(status(http.StatusTooManyRequests, "", "Retry-After", "30"), answers(result(Success, `<paper url="/a/" />`))))
	c.clock.now = fake.now
	c.limiter = newLimiter(0, fake.clock())
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Throttled)
	_, err = c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, OverBudget)
	require.Len(t, s.requests(), 1)

	given := make(chan error)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, time.Minute, time.Millisecond)
	fake.advance(30 * time.Second)
	require.NoError(t, <-given)
	_, err = c.GetPaperUrlFromID(ctx, 1)
	require.NoError(t, err)

	// A change that is throttled waits as long as it is told, and goes on.
	s, c = serve(t, then(status(http.StatusTooManyRequests, "", "Retry-After", "40"), answers(result(Success, ""))))
	c.limiter = newLimiter(0, c.clock)
	now := time.Now()
	c.limiter.clock.now = func() time.Time { now = now.Add(time.Minute); return now }
	require.NoError(t, c.MovePaper(ctx, 1, 2))
	require.Contains(t, s.pauses, 40*time.Second)
}

func TestConcurrentCallsKeepTheLimit(t *testing.T) {
	fake := newFakeClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)), func(o *Options) { o.MaxWait = time.Hour })
	c.limiter = newLimiter(10, fake.clock())
	var done sync.WaitGroup
	for i := range 35 {
		done.Go(func() {
			on := ctx
			if i%2 == 0 {
				on = Background(ctx)
			}
			if _, err := c.GetPaperUrlFromID(on, 1); err != nil {
				t.Error(err)
			}
		})
	}
	for minute := 1; minute < 4; minute++ {
		fake.advance(0)
		require.LessOrEqual(t, len(s.requests()), 10*minute)
		fake.advance(window)
	}
	stop := make(chan struct{})
	go func() { done.Wait(); close(stop) }()
	for {
		select {
		case <-stop:
			require.Len(t, s.requests(), 35)
			return
		case <-time.After(time.Millisecond):
			fake.advance(window)
		}
	}
}

// The look after a lost reply waits its turn as the change does.
func TestLookWaitsForTheBudget(t *testing.T) {
	fake := newFakeClock()
	_, c := serve(t, byOperation(map[*Operation]handler{
		CreateCategory:    then(lost, answers(result(Success, `<paper id="9" />`))),
		GetPaperIDFromUrl: answers(result(Success, "")),
	}))
	c.limiter = newLimiter(1, fake.clock())
	made := make(chan error)
	go func() {
		_, err := c.CreateCategory(ctx, Node{ID: 1, URL: "/"}, "A", "a")
		made <- err
	}()
	for {
		select {
		case err := <-made:
			require.NoError(t, err)
			return
		case <-time.After(time.Millisecond):
			fake.advance(window)
		}
	}
}

// What is waited for is told: the person's call first, then the queue's.
func TestBudgetTellsWhenTheNextWaitingCallBegins(t *testing.T) {
	fake := newFakeClock()
	began := fake.now()
	l := newLimiter(2, fake.clock())
	require.Zero(t, l.budget().NextStart)
	arrive(l, interactive)
	fake.advance(10 * time.Second)
	arrive(l, interactive)
	queued := arrive(l, background)
	fake.advance(10 * time.Second)
	at := l.budget().NextStart
	require.True(t, at.After(began), at)
	person := arrive(l, interactive)
	require.Equal(t, began.Add(window), l.budget().NextStart)
	fake.advance(40 * time.Second)
	require.True(t, person.begun())
	next := l.budget()
	require.Equal(t, 1, next.WaitingBackground)
	fake.advance(next.NextStart.Sub(fake.now()) - time.Nanosecond)
	require.False(t, queued.begun())
	fake.advance(next.NextStart.Sub(fake.now()) + time.Nanosecond)
	require.True(t, queued.begun())
	require.Equal(t, next.NextStart, queued.waiting.start)
}
