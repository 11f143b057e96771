package mount

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/clock"

	"github.com/stretchr/testify/require"
)

// fakeTeller is a service whose answers a test decides. It runs in a bubble of synctest.
type fakeTeller struct {
	offers bool
	mu     sync.Mutex
	began  time.Time
	asked  []request
	lost   int // changes whose outcome is unknown
	down   atomic.Bool
	backs  atomic.Int32 // how often the mount has seen that the service is back
	next   func(ctx context.Context, r request) (remote.News, error)
}

type request struct {
	at    time.Duration // since the start
	after string
	most  time.Duration
}

func (s *fakeTeller) Offers() (remote.Offers, bool) { return remote.Offers{Events: s.offers}, true }
func (s *fakeTeller) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint("me", s.lost)
}

// again is what the client says of a service that is away.
func (s *fakeTeller) again() (at time.Time) {
	if s.down.Load() {
		at = time.Now().Add(5 * time.Second)
	}
	return at
}

func (s *fakeTeller) Wait(ctx context.Context, after string, most time.Duration, _ string) (remote.News, error) {
	r := request{time.Since(s.began), after, most}
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	return s.next(ctx, r)
}

// requests returns what was asked so far.
func (s *fakeTeller) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func follow(t *testing.T, s *fakeTeller, rpm int, take func(remote.News) error) *follower {
	s.began = time.Now()
	f := &follower{service: s, begin: taking(take), saved: marks{}, catchUp: func(context.Context, bool) error { return nil }, rpm: func() int { return rpm },
		away: s.again, back: func() { s.backs.Add(1) }, slept: func() time.Duration { return 0 }, log: slog.New(slog.DiscardHandler)}
	t.Cleanup(f.start())
	return f
}

// marks are a state.
type marks map[string]string

func (m marks) Value(key string) (string, bool, error) { return m[key], m[key] != "", nil }

func (m marks) SetValue(key, value string) error {
	m[key] = value
	return nil
}

func nothing(remote.News) error { return nil }

func taking(take func(remote.News) error) func() func(context.Context, remote.News) error {
	return func() func(context.Context, remote.News) error {
		return func(_ context.Context, n remote.News) error { return take(n) }
	}
}

// held is a Wait that ends without news.
func held(ctx context.Context, r request) (remote.News, error) {
	_ = clock.Sleep(ctx, r.most)
	return remote.News{Next: "e.1"}, ctx.Err()
}

func TestAServiceThatDoesNotTellIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeTeller{next: held}
		f := follow(t, s, 0, nothing)
		time.Sleep(time.Hour)
		require.Empty(t, s.requests())
		require.Equal(t, time.Minute, f.lasts(time.Now(), time.Minute))
	})
}

// TestAChangeWhoseAnswerIsLostIsTold checks that what was not told under the mount's old name is asked for again.
func TestAChangeWhoseAnswerIsLostIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken []string
		s := &fakeTeller{offers: true}
		s.next = func(ctx context.Context, r request) (remote.News, error) {
			if r.after == "" {
				return remote.News{Next: "e.1"}, nil
			}
			_ = clock.Sleep(ctx, r.most)
			if r.after == "e.1" {
				s.mu.Lock()
				s.lost = 1
				s.mu.Unlock()
				return remote.News{Next: "e.2", Trees: []string{s.Name()}}, ctx.Err()
			}
			return remote.News{Next: r.after}, ctx.Err()
		}
		follow(t, s, 45, func(n remote.News) error {
			taken = append(taken, n.Trees...)
			return nil
		})
		time.Sleep(5 * time.Minute)
		require.Equal(t, "e.1", s.requests()[1].after)
		require.Equal(t, "e.1", s.requests()[2].after, "under the new name")
		require.Equal(t, "e.2", s.requests()[3].after)
		require.Equal(t, []string{"me1"}, taken)
	})
}

// TestAMountBeginsWhereTheOneBeforeEnded checks that a mount is told of what others changed since the one before, and again if it
// could not take that in, and that trees of before its first mark are fetched again.
func TestAMountBeginsWhereTheOneBeforeEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken []remote.News
		var caughtUp []bool
		var failures int
		next, s := "e.1", &fakeTeller{offers: true, began: time.Now()}
		s.next = func(ctx context.Context, r request) (remote.News, error) {
			if _ = clock.Sleep(ctx, r.most); r.after == "" || r.after == next {
				return remote.News{Next: next}, ctx.Err()
			}
			return remote.News{Next: next, Trees: []string{"media"}, Events: []remote.Event{{Kind: "node", ID: 1}, {Kind: "job", ID: 2}}}, ctx.Err()
		}
		saved := marks{}
		run := func() {
			f := follower{service: s, saved: saved, catchUp: func(_ context.Context, told bool) error { caughtUp = append(caughtUp, told); return nil }, rpm: func() int { return 45 },
				away: s.again, back: func() {}, slept: func() time.Duration { return 0 }, log: slog.New(slog.DiscardHandler)}
			f.begin = taking(func(n remote.News) error {
				if failures++; failures == 2 {
					return errors.New("busy")
				}
				if n.Any() {
					taken = append(taken, n)
				}
				return nil
			})
			end := f.start()
			time.Sleep(3 * time.Minute)
			end()
		}
		run()
		require.Empty(t, taken)
		require.Equal(t, []bool{false}, caughtUp)
		next = "e.3"
		failures = 1
		run()
		require.Equal(t, []remote.News{{Next: next, Trees: []string{"media"}, Events: []remote.Event{{Kind: "node", ID: 1}, {Kind: "job", ID: 2}}}}, taken)
		require.Equal(t, []bool{false, true, true}, caughtUp, "with each answer to the first request")
		run()
		require.Len(t, taken, 1)
	})
}

// TestAMountThatIsToldAsksOnceAMinute also checks that trees last longer then, but not one that was fetched before
// the mark, and not for who wants them younger than the slowest news.
func TestAMountThatIsToldAsksOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeTeller{offers: true, next: held}
		f := follow(t, s, 45, nothing)
		time.Sleep(time.Hour)
		require.True(t, f.isTold())
		require.Less(t, len(s.requests()), 70)
		require.Equal(t, request{0, "", 0}, s.requests()[0])
		require.Equal(t, request{0, "e.1", remote.MostWait}, s.requests()[1])
		require.Equal(t, time.Hour, f.lasts(time.Now(), 5*time.Minute))
		require.Equal(t, 5*time.Minute, f.lasts(s.began, 5*time.Minute))
		require.Equal(t, time.Second, f.lasts(time.Now(), time.Second))
	})
}

// TestChangesThatGoOnCostSixOfFortyFive has a change at each moment. After a while of quiet one request is early.
func TestChangesThatGoOnCostSixOfFortyFive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeTeller{offers: true, next: func(context.Context, request) (remote.News, error) {
			return remote.News{Next: "e.2", Trees: []string{"media"}}, nil
		}}
		follow(t, s, 45, nothing)
		time.Sleep(time.Hour)
		for i := range s.requests()[7:] {
			require.GreaterOrEqual(t, s.requests()[i+7].at-s.requests()[i].at, time.Minute)
		}
		require.Greater(t, len(s.requests()), 300)
	})
}

// TestChangesNowAndThenAreToldWithinTenSeconds has a change each few seconds, at the usual limit.
func TestChangesNowAndThenAreToldWithinTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards untold and late
		var untold []time.Time
		waits := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(untold) > 0
		}
		s := &fakeTeller{offers: true, next: func(ctx context.Context, r request) (remote.News, error) {
			for range r.most / time.Second {
				if waits() {
					return remote.News{Next: "e.2", Trees: []string{"papers"}}, nil
				}
				_ = clock.Sleep(ctx, time.Second)
			}
			return remote.News{Next: "e.1"}, ctx.Err()
		}}
		late := time.Duration(0)
		follow(t, s, 45, func(remote.News) error {
			mu.Lock()
			defer mu.Unlock()
			for _, at := range untold {
				late = max(late, time.Since(at))
			}
			untold = nil
			return nil
		})
		for i := range 600 {
			time.Sleep(time.Duration(1+i%13) * time.Second)
			mu.Lock()
			untold = append(untold, time.Now())
			mu.Unlock()
		}
		mu.Lock()
		defer mu.Unlock()
		require.LessOrEqual(t, late, slowest+afterNews)
	})
}

// TestAChangeAfterAWhileOfQuietIsToldAtOnce checks the pauses without a limit.
func TestAChangeAfterAWhileOfQuietIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := make(chan struct{}, 100)
		s := &fakeTeller{offers: true}
		s.next = func(ctx context.Context, r request) (remote.News, error) {
			select {
			case <-changes:
				return remote.News{Next: "e.2", Events: []remote.Event{{Kind: "node", ID: 1}}}, nil
			case <-time.After(r.most):
				return remote.News{Next: "e.1"}, nil
			case <-ctx.Done():
				return remote.News{}, ctx.Err()
			}
		}
		var taken []time.Duration
		follow(t, s, 0, func(n remote.News) error {
			if n.Any() {
				taken = append(taken, time.Since(s.began))
			}
			return nil
		})
		for _, at := range []int{10, 13, 14, 25} {
			time.Sleep(time.Duration(at)*time.Second - time.Since(s.began))
			changes <- struct{}{}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []time.Duration{10 * time.Second, 13 * time.Second, 14 * time.Second, 25 * time.Second}, taken)
	})
}

// TestManyMountsFetchTheirTreesOneAfterAnother gives the same news to a crowd at one moment: whole trees are fetched
// within a second, at different times; what single changes bring is taken in at once.
func TestManyMountsFetchTheirTreesOneAfterAnother(t *testing.T) {
	for name, news := range map[string]remote.News{
		"lost":   {Next: "f.1", Lost: true, Trees: []string{"media", "papers"}},
		"many":   {Next: "e.300", Trees: []string{"papers"}},
		"single": {Next: "e.2", Events: []remote.Event{{Kind: "node", ID: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const crowd = 100
				told := make(chan struct{})
				answer := func(ctx context.Context, r request) (remote.News, error) {
					if r.after == news.Next {
						return held(ctx, r)
					}
					if r.most > 0 {
						<-told
						return news, nil
					}
					return remote.News{Next: "e.1"}, nil
				}
				var mu sync.Mutex // guards taken
				var taken []time.Time
				for range crowd {
					follow(t, &fakeTeller{offers: true, next: answer}, 0, func(n remote.News) error {
						mu.Lock()
						defer mu.Unlock()
						if n.Any() {
							taken = append(taken, time.Now())
						}
						return nil
					})
				}
				time.Sleep(20 * time.Second)
				began := time.Now()
				close(told)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				mu.Lock()
				defer mu.Unlock()
				require.Len(t, taken, crowd)
				last := taken[crowd-1].Sub(began)
				if name == "single" {
					require.Zero(t, last)
					return
				}
				require.Less(t, last, spread)
				require.Greater(t, last, spread/2)
				require.Greater(t, len(slices.Compact(taken)), crowd/2)
			})
		})
	}
}

// TestAFollowerAsksAgainAfterAFailure checks that a failure leaves the mark where it is, and that a service that is back is
// asked within a second of the time at which the client may ask it; then the queue is tried again.
func TestAFollowerAsksAgainAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := &remote.Error{Kind: remote.Unreachable}
		s := &fakeTeller{offers: true}
		s.next = func(ctx context.Context, r request) (remote.News, error) {
			if s.down.Load() {
				return remote.News{}, away
			}
			if r.after == "e.1" {
				return remote.News{Next: "f.1", Lost: true, Trees: []string{"media", "papers"}}, nil
			}
			n, err := held(ctx, r)
			n.Next = map[string]string{"": "e.1"}[r.after]
			return n, err
		}
		var tries atomic.Int32
		f := follow(t, s, 0, func(n remote.News) error {
			if tries.Add(1) < 4 && n.Lost {
				return away
			}
			return nil
		})
		time.Sleep(time.Minute)
		require.True(t, f.isTold())
		require.GreaterOrEqual(t, tries.Load(), int32(4))
		require.NotEqual(t, "e.1", s.requests()[len(s.requests())-1].after)
		require.Equal(t, 5*time.Minute, f.lasts(s.began, 5*time.Minute), "what was fetched before the mark was lost")
		backs := s.backs.Load()
		s.down.Store(true)
		time.Sleep(10 * time.Minute)
		require.False(t, f.isTold())
		require.Less(t, len(s.requests()), 150)
		require.Equal(t, backs, s.backs.Load())
		s.down.Store(false)
		time.Sleep(5*time.Second + spread)
		require.True(t, f.isTold())
		require.Equal(t, backs+1, s.backs.Load())
	})
}

// TestOneHeldRequestTooManyIsPolling checks that a service that holds no more is asked a minute later.
func TestOneHeldRequestTooManyIsPolling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeTeller{offers: true, next: func(ctx context.Context, r request) (remote.News, error) {
			if r.most > 0 {
				return remote.News{}, &remote.Error{Kind: remote.Throttled}
			}
			return held(ctx, r)
		}}
		f := follow(t, s, 0, nothing)
		time.Sleep(20 * time.Second)
		require.False(t, f.isTold())
		require.Len(t, s.requests(), 2)
	})
}

// TestAMachineThatSleptAsksAgain has a connection that is dead after the sleep.
func TestAMachineThatSleptAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeTeller{offers: true, next: func(ctx context.Context, r request) (remote.News, error) {
			if r.most > 0 {
				<-ctx.Done()
				return remote.News{}, ctx.Err()
			}
			return held(ctx, r)
		}}
		s.began = time.Now()
		f := &follower{service: s, begin: taking(nothing), saved: marks{}, catchUp: func(context.Context, bool) error { return nil }, rpm: func() int { return 0 }, away: s.again, back: func() {}, log: slog.New(slog.DiscardHandler)}
		f.slept = func() time.Duration {
			if time.Since(s.began) > 30*time.Second {
				return time.Hour
			}
			return 0
		}
		t.Cleanup(f.start())
		time.Sleep(40 * time.Second)
		require.Equal(t, request{0, "e.1", remote.MostWait}, s.requests()[1])
		require.Zero(t, s.requests()[2].most)
		require.Less(t, s.requests()[2].at, 37*time.Second)
	})
}

// TestChangesAreKept checks that a reader gets each change once, or hears that there were more.
func TestChangesAreKept(t *testing.T) {
	var c changes
	require.Zero(t, c.after(-1).Next)
	c.add([]control.Change{{ID: 1}, {ID: 2}})
	e := c.after(1)
	require.Equal(t, control.Events{Next: 2, Changes: []control.Change{{ID: 2}}}, e)
	require.Empty(t, c.after(e.Next).Changes)
	require.Empty(t, c.after(-1).Changes)
	require.True(t, c.after(3).Lost)
	c.add(make([]control.Change, mostChanges))
	require.True(t, c.after(1).Lost)
	require.Len(t, c.after(2).Changes, mostChanges)
	require.False(t, c.after(2).Lost)
}
