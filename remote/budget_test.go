package remote

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/ratelimit"
	"paperfs/remote/testrun"
)

func TestReadsDoNotWaitForLong(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.limiter = ratelimit.New(2, fake.Clock())
	for range 2 {
		testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t)
	}
	fake.Advance(49 * time.Second)
	_, err := c.GetPaperUrlFromID(ctx, 1)
	require.Contains(t, fails(t, err, OverBudget).Reason(), "may be sent in 11s")
	require.Equal(t, 2, c.Stats().Budget.Used)
	require.Equal(t, fake.Now().Add(11*time.Second), c.Stats().Budget.NextFree)

	// A change waits for its turn, and leaves the queue when it is canceled.
	cancelled, cancel := context.WithCancel(ctx)
	given := make(chan error)
	go func() { given <- c.MovePaper(cancelled, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, testrun.Patience(), time.Millisecond)
	cancel()
	fails(t, <-given, Cancelled)
	require.Zero(t, c.Stats().Budget.Waiting)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, testrun.Patience(), time.Millisecond)
	require.Len(t, s.requests(), 2)
	fake.Advance(11 * time.Second)
	require.NoError(t, <-given)
}

func TestRetryAfterIsLearnt(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	s, c := serve(t, then(status(http.StatusTooManyRequests, "", "Retry-After", "30"), answers(result(Success, `<paper url="/a/" />`))))
	c.clock.Now = fake.Now
	c.limiter = ratelimit.New(0, fake.Clock())
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Throttled)
	_, err = c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, OverBudget)
	require.Len(t, s.requests(), 1)

	given := make(chan error)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, testrun.Patience(), time.Millisecond)
	fake.Advance(30 * time.Second)
	require.NoError(t, <-given)
	testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t)

	// A throttled change waits as long as the service asks, then succeeds.
	s, c = serve(t, then(status(http.StatusTooManyRequests, "", "Retry-After", "40"), answers(result(Success, ""))))
	hurried, now := c.clock, time.Now()
	hurried.Now = func() time.Time { now = now.Add(time.Minute); return now }
	c.limiter = ratelimit.New(0, hurried)
	require.NoError(t, c.MovePaper(ctx, 1, 2))
	require.Contains(t, s.pauses, 40*time.Second)
}

func TestConcurrentCallsKeepTheLimit(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)), func(o *Options) { o.MaxWait = time.Hour })
	c.limiter = ratelimit.New(10, fake.Clock())
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
		fake.Advance(0)
		require.LessOrEqual(t, len(s.requests()), 10*minute)
		fake.Advance(ratelimit.Window)
	}
	stop := make(chan struct{})
	go func() { done.Wait(); close(stop) }()
	for {
		select {
		case <-stop:
			require.Len(t, s.requests(), 35)
			return
		case <-time.After(time.Millisecond):
			fake.Advance(ratelimit.Window)
		}
	}
}

// TestLookWaitsForTheBudget checks that the lookup after a lost reply waits for its turn like
// the change.
func TestLookWaitsForTheBudget(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	_, c := serve(t, byOperation(map[*Operation]handler{
		CreateCategory:    then(lost, answers(result(Success, `<paper id="9" />`))),
		GetPaperIDFromUrl: answers(result(Success, "")),
	}))
	c.limiter = ratelimit.New(1, fake.Clock())
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
			fake.Advance(ratelimit.Window)
		}
	}
}

// TestThrottlingIsVisible checks that Stats reports the limit that a 429 has lowered, and that
// a call that was not sent counts neither as a request nor as a failure.
func TestThrottlingIsVisible(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	good := answers(result(Success, `<paper url="/a/" />`))
	s, c := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 10 {
			status(http.StatusTooManyRequests, "", "Retry-After", "50")(n, w, r)
			return
		}
		good(n, w, r)
	})
	c.clock.Now = fake.Now
	c.limiter = ratelimit.New(12, fake.Clock())
	for range 10 {
		testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t)
	}
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Throttled)
	require.Equal(t, ratelimit.Budget{Limit: 10, Full: 12, Used: 11, NextFree: fake.Now().Add(ratelimit.Window)}, c.Stats().Budget)
	for range 3 {
		_, err = c.GetPaperUrlFromID(ctx, 1)
		require.Contains(t, fails(t, err, OverBudget).Reason(), "as the service refused more than 10 a minute")
	}
	require.Equal(t, OperationStats{Requests: 11, Failures: 1, HeldBack: 3}, c.Stats().Operations["GetPaperUrlFromID"])
	require.Len(t, s.requests(), 11)
}

// TestATurn checks that a turn lets its calls through without further waits, and returns the places
// of calls that were not made.
func TestATurn(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	_, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.limiter = ratelimit.New(10, fake.Clock())
	for range 9 {
		require.NoError(t, c.MovePaper(ctx, 1, 2))
	}
	var turn context.Context
	var end func()
	began := make(chan error)
	go func() {
		var err error
		turn, end, err = c.Turn(ctx, GetPaperUrlFromID, GetPaperUrlFromID, MovePaper)
		began <- err
	}()
	require.Eventually(t, func() bool { return c.Stats().Budget.WaitingBackground == 3 }, testrun.Patience(), time.Millisecond)
	fake.Advance(time.Minute)
	require.NoError(t, <-began)
	require.Equal(t, 3, c.Stats().Budget.Used)
	for range 7 {
		require.NoError(t, c.MovePaper(ctx, 1, 2))
	}
	testrun.Must(c.GetPaperUrlFromID(turn, 1))(t)
	require.NoError(t, c.MovePaper(turn, 1, 2))
	require.Equal(t, 10, c.Stats().Budget.Used)
	end()
	require.Equal(t, 9, c.Stats().Budget.Used)
	end()
	require.Equal(t, 9, c.Stats().Budget.Used)
}

// TestATurnCountsWhenItsCallsBegin checks that a late call of a turn counts in the minute in which
// it begins, and holds its place until then.
func TestATurnCountsWhenItsCallsBegin(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	_, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.limiter = ratelimit.New(2, fake.Clock())
	used := func() int { return c.Stats().Budget.Used }
	turn, end := testrun.Must2(c.Turn(Patient(ctx), GetPaperUrlFromID, MovePaper))(t)
	fake.Advance(50 * time.Second)
	testrun.Must(c.GetPaperUrlFromID(turn, 1))(t)
	fake.Advance(20 * time.Second)
	require.Equal(t, 2, used(), "the call that began 20 s ago, and the one that has not begun")
	fake.Advance(30 * time.Second)
	require.NoError(t, c.MovePaper(turn, 1, 2))
	require.Equal(t, 2, used(), "the calls that began 50 s ago and now")
	fake.Advance(30 * time.Second)
	require.Equal(t, 1, used())
	end()
	require.Equal(t, 1, used())
	fake.Advance(30 * time.Second)
	require.Zero(t, used())
}

// TestATurnOfMoreThanTheLimitEnds checks that the calls of a turn that is larger than the limit all
// get a place in the end.
func TestATurnOfMoreThanTheLimitEnds(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	_, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.limiter = ratelimit.New(1, fake.Clock())
	turn, end := testrun.Must2(c.Turn(Patient(ctx), GetPaperUrlFromID, MovePaper))(t)
	defer end()
	ended := make(chan error)
	go func() {
		_, err := c.GetPaperUrlFromID(turn, 1)
		ended <- err
		ended <- c.MovePaper(turn, 1, 2)
	}()
	for range 2 {
		require.Eventually(t, func() bool { return c.Stats().Budget.Waiting == 1 }, testrun.Patience(), time.Millisecond)
		fake.Advance(ratelimit.Window)
		require.NoError(t, <-ended)
	}
}

// TestATurnIsNotWaitedForWhileTheServiceIsAway checks that Turn then fails at once, as its calls
// would.
func TestATurnIsNotWaitedForWhileTheServiceIsAway(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers(result(Success, "")))
	c.health.failed()
	_, _, err := c.Turn(Patient(ctx), MovePaper)
	fails(t, err, Unreachable)
	c.health.answered()
	_, end := testrun.Must2(c.Turn(Patient(ctx), MovePaper))(t)
	end()
}
