package remote

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// However long the queue is, and however small the limit, places stay free for
// a person, who finds them in any minute.
func TestBackgroundNeverUsesTheWholeMinute(t *testing.T) {
	for limit, reserve := range map[int]int{2: 1, 5: 1, 10: 1, 45: 4, 600: 60} {
		fake := newFakeClock()
		l := newLimiter(limit, fake.clock())
		for range 5 * limit {
			arrive(l, background)
		}
		for range 200 {
			fake.advance(time.Second)
			require.LessOrEqual(t, l.budget().Used, limit-reserve)
		}
		for range reserve {
			require.True(t, arrive(l, interactive).begun(), "limit %d", limit)
		}
	}
}

// What the service refuses lowers the limit; time without a refusal raises it
// again, to what it was.
func TestTheLimitIsLearntAndForgotten(t *testing.T) {
	fake := newFakeClock()
	l := newLimiter(45, fake.clock())
	for range 31 {
		arrive(l, interactive)
	}
	began := fake.now()
	fake.advance(time.Second)
	l.throttled(began, 20*time.Second)
	require.Equal(t, 30, l.budget().Limit)
	require.Equal(t, 45, l.budget().Full)
	require.Equal(t, fake.now().Add(window-time.Second), l.budget().NextFree)

	// The other calls of the same burst say nothing new.
	l.throttled(began, 20*time.Second)
	require.Equal(t, 30, l.budget().Limit)

	fake.advance(window - time.Nanosecond)
	require.Equal(t, 30, l.budget().Limit)
	for _, limit := range []int{34, 38, 42, 45, 45} {
		fake.advance(window)
		require.Equal(t, limit, l.budget().Limit)
	}

	// A refusal because of what others sent halves it at most.
	arrive(l, interactive)
	l.throttled(fake.now(), 0)
	require.Equal(t, 22, l.budget().Limit)
}

// Against a service that allows another number of calls than the client was
// told: all are answered, and few are refused.
func TestASlowerServiceIsFollowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full, allowed := rapid.IntRange(2, 60).Draw(t, "limit"), rapid.IntRange(1, 60).Draw(t, "allowed")
		fake := newFakeClock()
		l := newLimiter(full, fake.clock())
		var accepted []time.Time
		refused := 0
		for range 3 * full {
			for {
				a := arrive(l, interactive)
				for !a.begun() {
					fake.advance(100 * time.Millisecond)
				}
				now := fake.now()
				for len(accepted) > 0 && !now.Before(accepted[0].Add(window)) {
					accepted = accepted[1:]
				}
				if len(accepted) < allowed {
					accepted = append(accepted, now)
					break
				}
				refused++
				fake.advance(time.Millisecond)
				l.throttled(now, accepted[0].Add(window).Sub(fake.now()))
				require.False(t, fake.now().Add(l.budget().NextFree.Sub(fake.now())).Before(accepted[0].Add(window)))
			}
		}
		if allowed >= full {
			require.Zero(t, refused)
		}
		require.LessOrEqual(t, refused, 3*full/allowed+10)
	})
}

// A read that waits fails when a refusal makes its wait too long, not after
// it; a change, and a read that can still be in time, wait on.
func TestAWaitThatBecomesTooLongEnds(t *testing.T) {
	fake := newFakeClock()
	l := newLimiter(1, fake.clock())
	began := fake.now()
	arrive(l, interactive)
	fake.advance(55 * time.Second)
	read, err := l.enter(interactive, 10*time.Second)
	require.NoError(t, err)
	change := arrive(l, interactive)
	patient, err := l.enter(interactive, 3*time.Minute)
	require.NoError(t, err)
	l.throttled(began, 30*time.Second)
	<-read.ready
	require.EqualError(t, read.err, "the next request may be sent in 30s, as the service asked for a pause; a read waits for 10s at most")
	require.Equal(t, 2, l.budget().Waiting)
	fake.advance(30 * time.Second)
	require.True(t, change.begun())
	fake.advance(time.Minute)
	<-patient.ready
	require.NoError(t, patient.err)
}

func TestRefusedReadsSayWhy(t *testing.T) {
	fake := newFakeClock()
	l := newLimiter(20, fake.clock())
	for range 20 {
		arrive(l, interactive)
	}
	_, err := l.enter(interactive, 10*time.Second)
	require.EqualError(t, err, "the next request may be sent in 1m0s, as the limit is 20 a minute; a read waits for 10s at most")
	began := fake.now()
	fake.advance(time.Second)
	l.throttled(began, 0)
	_, err = l.enter(interactive, 10*time.Second)
	require.EqualError(t, err, "the next request may be sent in 59s, as the service refused more than 19 a minute; a read waits for 10s at most")
}

// A 429 in an answer is what lowers the limit that Stats tells; what was not
// sent is no request and no failure.
func TestThrottlingIsVisible(t *testing.T) {
	fake := newFakeClock()
	good := answers(result(Success, `<paper url="/a/" />`))
	s, c := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 10 {
			status(http.StatusTooManyRequests, "", "Retry-After", "50")(n, w, r)
			return
		}
		good(n, w, r)
	})
	c.clock.now = fake.now
	c.limiter = newLimiter(12, fake.clock())
	for range 10 {
		_, err := c.GetPaperUrlFromID(ctx, 1)
		require.NoError(t, err)
	}
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Throttled)
	require.Equal(t, Budget{Limit: 10, Full: 12, Used: 11, NextFree: fake.now().Add(window)}, c.Stats().Budget)
	for range 3 {
		_, err = c.GetPaperUrlFromID(ctx, 1)
		require.Contains(t, fails(t, err, OverBudget).Reason(), "as the service refused more than 10 a minute")
	}
	require.Equal(t, OperationStats{Requests: 11, Failures: 1, HeldBack: 3}, c.Stats().Operations["GetPaperUrlFromID"])
	require.Len(t, s.requests(), 11)
}

// The pause before a call is repeated is a wait that can be seen.
func TestPausesAreVisible(t *testing.T) {
	_, c := serve(t, then(status(http.StatusServiceUnavailable, ""), answers(result(Success, ""))))
	began := time.Now()
	paused, goOn := make(chan time.Duration), make(chan struct{})
	c.clock.afterFunc = func(d time.Duration, f func()) func() bool {
		go func() {
			paused <- d
			<-goOn
			f()
		}()
		return func() bool { return false }
	}
	given := make(chan error)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	d := <-paused
	b := c.Stats().Budget
	require.Equal(t, 1, b.Repeating)
	require.False(t, b.NextRepeat.Before(began.Add(d)))
	close(goOn)
	require.NoError(t, <-given)
	require.Zero(t, c.Stats().Budget.Repeating)
	require.Zero(t, c.Stats().Budget.NextRepeat)
}

// While the service is away, calls fail at once and one at a time finds out
// whether it is back, after pauses that grow; an answer ends that.
func TestAServiceThatIsAwayIsProbed(t *testing.T) {
	fake := newFakeClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.health = newHealth(fake.now)
	address := c.base.Host
	closed := newServer(t, nil)
	c.base.Host = closed.Listener.Addr().String()
	closed.Close()
	c.transport.CloseIdleConnections()

	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Unreachable)
	since := c.Stats().AwaySince
	require.Equal(t, fake.now(), since)
	pause := firstAway
	for range 6 {
		require.Equal(t, fake.now().Add(pause), c.Stats().AskedAgain)
		requests := c.Stats().Operations["GetPaperUrlFromID"].Requests
		fake.advance(pause - time.Nanosecond)
		_, err := c.GetPaperUrlFromID(ctx, 1)
		require.ErrorIs(t, fails(t, err, Unreachable), errAway)
		require.Equal(t, requests, c.Stats().Operations["GetPaperUrlFromID"].Requests, "nothing is sent")
		fake.advance(time.Nanosecond)
		_, err = c.GetPaperUrlFromID(ctx, 1)
		fails(t, err, Unreachable)
		require.Equal(t, requests+1, c.Stats().Operations["GetPaperUrlFromID"].Requests, "one probe, not repeated")
		pause = min(2*pause, longestAway)
	}
	require.Equal(t, since, c.Stats().AwaySince)

	// Who comes while the probe is on its way does not wait for it.
	c.base.Host = address
	fake.advance(pause)
	ok, probe := c.health.admit()
	require.True(t, ok && probe)
	_, err = c.GetPaperUrlFromID(context.Background(), 1)
	require.ErrorIs(t, fails(t, err, Unreachable), errAway)
	c.health.leave()
	_, err = c.GetPaperUrlFromID(ctx, 1)
	require.NoError(t, err)
	require.Zero(t, c.Stats().AwaySince)
	require.Len(t, s.requests(), 1)
}
