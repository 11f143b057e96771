package outbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var errAway = errors.New("away")

// player is an outbox of names, and the sender of their content. Its clock is that of
// synctest.
type player struct {
	*Outbox[string]
	began  time.Time
	sends  chan string  // each Send, when it starts
	answer chan Outcome // its outcome
	shut   atomic.Bool  // nothing is ready
}

// play runs an outbox until it is closed.
func play(t *testing.T, with func(*testing.T, *player), options ...func(*Options[string])) {
	synctest.Test(t, func(t *testing.T) {
		p := &player{began: time.Now(), sends: make(chan string, 100), answer: make(chan Outcome)}
		o := Options[string]{
			Send: p.send, Ready: func(string) bool { return !p.shut.Load() }, Senders: 2, Now: time.Now,
			Pause: func(failures int, _ error) time.Duration { return time.Duration(failures) * time.Second },
		}
		for _, set := range options {
			set(&o)
		}
		p.Outbox = New(o)
		p.Start(t.Context())
		defer func() {
			if !p.Closed() {
				p.Close(true)
			}
		}()
		with(t, p)
	})
}

func (p *player) send(ctx context.Context, k string, _ error) {
	p.sends <- k
	select {
	case o := <-p.answer:
		if o == Sent {
			p.Drop(k)
		}
		p.Ended(k, o, errAway)
		p.Offer(k)
	case <-ctx.Done():
		p.Ended(k, Interrupted, context.Cause(ctx))
		p.Offer(k)
	}
}

func (p *player) add(names ...string) {
	for _, k := range names {
		p.Add(k, 0)
		p.Offer(k)
	}
}

// states returns what List reports once everything is idle.
func (p *player) states() string {
	synctest.Wait()
	text := ""
	for _, i := range p.List() {
		text += fmt.Sprintf("%s %s, ", i.Key, i.State)
	}
	return text
}

func (p *player) passed() time.Duration { return time.Since(p.began) }

func TestEntriesAreSentInTheirOrder(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a", "b", "c")
		require.Equal(t, "a sending, b sending, c ready, ", p.states())
		p.answer <- Sent
		require.Contains(t, p.states(), "c sending, ")
		p.answer <- Sent
		require.False(t, p.Idle())
		p.answer <- Sent
		synctest.Wait()
		require.True(t, p.Idle())
	})
}

func TestAnEntryWaitsUntilItIsReady(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.shut.Store(true)
		p.add("a")
		require.Equal(t, "a waiting, ", p.states())
		p.shut.Store(false)
		require.Equal(t, "a waiting, ", p.states())
		p.Offer("a")
		require.Equal(t, "a sending, ", p.states())
	})
}

// TestAnOfferBetweenTurnAndBegin checks that an offer during a call of Ready is not lost.
func TestAnOfferBetweenTurnAndBegin(t *testing.T) {
	var p *player
	asked := false
	play(t, func(t *testing.T, it *player) {
		p = it
		p.add("a")
		require.Equal(t, "a sending, ", p.states())
		require.True(t, asked)
	}, func(o *Options[string]) {
		o.Ready = func(k string) bool {
			if asked {
				return true
			}
			asked = true
			p.Offer(k)
			return false
		}
	})
}

func TestAFailureOfOneEntryHoldsUpNoOther(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a", "b")
		synctest.Wait()
		p.answer <- Failed
		p.answer <- Sent
		synctest.Wait()
		require.Equal(t, 1, p.Len())
		item := p.List()[0]
		require.Equal(t, Paused, item.State)
		require.Equal(t, 1, item.Failures)
		require.Equal(t, errAway, item.Last)
		require.Equal(t, p.began.Add(time.Second), item.Next)
		p.add("c")
		require.Contains(t, p.states(), "c sending, ")
		for len(p.sends) > 0 {
			<-p.sends
		}
		require.Equal(t, item.Key, <-p.sends)
		require.Equal(t, time.Second, p.passed())
		synctest.Wait()
		p.answer <- Sent
		p.answer <- Failed
		synctest.Wait()
		require.NoError(t, p.Blocked())
	})
}

func TestAFailureOfTheServiceHoldsUpAllEntries(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a")
		synctest.Wait()
		p.answer <- Blocked
		synctest.Wait()
		p.add("b")
		require.Equal(t, "a ready, b ready, ", p.states())
		require.Equal(t, p.began.Add(time.Second), p.List()[1].Next)
		require.Equal(t, errAway, p.Blocked())
		time.Sleep(time.Second)
		require.Equal(t, "a sending, b sending, ", p.states())
		p.answer <- Sent
		synctest.Wait()
		require.NoError(t, p.Blocked())
		p.answer <- Blocked
		synctest.Wait()
		p.Retry()
		require.Contains(t, p.states(), "sending")
		require.Equal(t, time.Second, p.passed())
	})
}

func TestACancelledEntryIsNotSent(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a", "b", "c")
		synctest.Wait()
		for k, want := range map[string]State{"a": Sending, "c": Ready} {
			was, there := p.Cancel(k)
			require.True(t, there)
			require.Equal(t, want, was)
		}
		p.answer <- Failed
		p.answer <- Failed
		require.Equal(t, "a stopped, b paused, c stopped, ", p.states())
		require.Zero(t, p.List()[0].Failures, "a cancelled Send is not a failure")
		p.Resume("c")
		p.Offer("c")
		require.Equal(t, "c sending, a stopped, b paused, ", p.states())
		p.Cancel("c")
		p.Interrupt("c")
		require.Equal(t, "a stopped, b paused, c stopped, ", p.states())
		p.Drop("a")
		_, there := p.Cancel("a")
		require.False(t, there)
	})
}

// TestAPauseOutlastsACut checks that renaming a failed file does not retry it at once.
func TestAPauseOutlastsACut(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.Add("a", time.Minute)
		p.Cancel("a")
		p.Resume("a")
		p.Offer("a")
		require.Equal(t, "a paused, ", p.states())
		p.Cancel("a")
		time.Sleep(time.Minute)
		p.Resume("a")
		p.Offer("a")
		require.Equal(t, "a sending, ", p.states())
	})
}

func TestWhatIsRefusedWaitsForWhoSeesToIt(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a")
		synctest.Wait()
		p.answer <- Refused
		synctest.Wait()
		p.Retry()
		require.Equal(t, "a stopped, ", p.states())
		p.Resume("a")
		p.Offer("a")
		require.Equal(t, "a sending, ", p.states())
	})
}

// TestABurstIsWaitedFor checks that new keys delay sending, but not forever.
func TestABurstIsWaitedFor(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		for range 3 {
			p.add(p.passed().String())
			time.Sleep(60 * time.Millisecond)
			require.Empty(t, p.sends)
		}
		<-p.sends
		require.Equal(t, 220*time.Millisecond, p.passed(), "100 ms after the last")
	}, func(o *Options[string]) { o.Debounce = 100 * time.Millisecond })
	play(t, func(t *testing.T, p *player) {
		for len(p.sends) == 0 {
			p.add(p.passed().String())
			time.Sleep(60 * time.Millisecond)
			synctest.Wait()
		}
		require.InDelta(t, 2, p.passed().Seconds(), 0.1)
	}, func(o *Options[string]) { o.Debounce = 100 * time.Millisecond })
}

func TestCloseWaitsForWhatIsUnderWay(t *testing.T) {
	play(t, func(t *testing.T, p *player) {
		p.add("a", "b", "c")
		synctest.Wait()
		closed := make(chan struct{})
		go func() { p.Close(false); close(closed) }()
		synctest.Wait()
		require.True(t, p.Closed())
		p.answer <- Sent
		p.answer <- Sent
		<-closed
		require.Len(t, p.sends, 2, "no further Send starts")
	})
}

// TestManyAtTheSameTime adds, cancels, resumes and fails names concurrently: each is sent, no
// name has two Sends in progress, and everything ends.
func TestManyAtTheSameTime(t *testing.T) {
	const names = 200
	var under [names]atomic.Int32
	var tries [names]atomic.Int32
	var q *Outbox[int]
	done := make(chan struct{}, names)
	q = New(Options[int]{
		Senders: 4, Now: time.Now, Ready: func(int) bool { return true },
		Pause: func(int, error) time.Duration { return time.Microsecond },
		Send: func(ctx context.Context, k int, _ error) {
			if under[k].Add(1) != 1 {
				t.Errorf("%d is sent twice at the same time", k)
			}
			n := tries[k].Add(1)
			under[k].Add(-1)
			switch {
			case ctx.Err() != nil:
				q.Ended(k, Interrupted, nil)
			case n%3 != 0:
				q.Ended(k, []Outcome{Failed, Blocked}[n%2], errAway)
			default:
				q.Drop(k)
				q.Ended(k, Sent, nil)
				done <- struct{}{}
			}
			q.Offer(k)
		},
	})
	q.Start(t.Context())
	var work sync.WaitGroup
	for side := range 4 {
		work.Go(func() {
			for k := side; k < names; k += 4 {
				q.Add(k, time.Duration(k%2)*time.Microsecond)
				q.Offer(k)
				if _, there := q.Cancel(k); there {
					q.Interrupt(k)
					q.Resume(k)
					q.Offer(k)
				}
				q.Retry()
			}
		})
	}
	for range names {
		<-done
	}
	work.Wait()
	q.Close(false)
	require.True(t, q.Idle())
}
