package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

// TestBackgroundNeverUsesTheWholeMinute checks that places stay free for a person in every
// minute, however long the queue and however small the limit.
func TestBackgroundNeverUsesTheWholeMinute(t *testing.T) {
	for limit, reserve := range map[int]int{2: 1, 5: 1, 10: 1, 45: 4, 600: 60} {
		fake := testrun.NewClock()
		l := New(limit, fake.Clock())
		for range 5 * limit {
			arrive(l, Background)
		}
		for range 200 {
			fake.Advance(time.Second)
			require.LessOrEqual(t, l.Budget().Used, limit-reserve)
		}
		for range reserve {
			require.True(t, arrive(l, Interactive).begun(), "limit %d", limit)
		}
	}
}

// TestTheLimitIsLearntAndForgotten checks that a refusal by the service lowers the limit, and
// that time without a refusal raises it again to its old value.
func TestTheLimitIsLearntAndForgotten(t *testing.T) {
	fake := testrun.NewClock()
	l := New(45, fake.Clock())
	for range 31 {
		arrive(l, Interactive)
	}
	began := fake.Now()
	fake.Advance(time.Second)
	l.Throttled(began, 20*time.Second)
	require.Equal(t, 30, l.Budget().Limit)
	require.Equal(t, 45, l.Budget().Full)
	require.Equal(t, fake.Now().Add(Window-time.Second), l.Budget().NextFree)

	// Refusals of other calls of the same burst do not lower the limit again.
	l.Throttled(began, 20*time.Second)
	require.Equal(t, 30, l.Budget().Limit)

	fake.Advance(Window - time.Nanosecond)
	require.Equal(t, 30, l.Budget().Limit)
	for _, limit := range []int{34, 38, 42, 45, 45} {
		fake.Advance(Window)
		require.Equal(t, limit, l.Budget().Limit)
	}

	// A refusal because of requests of other programs at most halves the limit.
	arrive(l, Interactive)
	l.Throttled(fake.Now(), 0)
	require.Equal(t, 22, l.Budget().Limit)
}

// TestASlowerServiceIsFollowed checks that, if a service allows another number of calls than
// the client knows of, it answers all calls and refuses few.
func TestASlowerServiceIsFollowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full, allowed := rapid.IntRange(2, 60).Draw(t, "limit"), rapid.IntRange(1, 60).Draw(t, "allowed")
		fake := testrun.NewClock()
		l := New(full, fake.Clock())
		var accepted []time.Time
		refused := 0
		for range 3 * full {
			for {
				a := arrive(l, Interactive)
				for !a.begun() {
					fake.Advance(100 * time.Millisecond)
				}
				now := fake.Now()
				for len(accepted) > 0 && !now.Before(accepted[0].Add(Window)) {
					accepted = accepted[1:]
				}
				if len(accepted) < allowed {
					accepted = append(accepted, now)
					break
				}
				refused++
				fake.Advance(time.Millisecond)
				l.Throttled(now, accepted[0].Add(Window).Sub(fake.Now()))
				require.False(t, fake.Now().Add(l.Budget().NextFree.Sub(fake.Now())).Before(accepted[0].Add(Window)))
			}
		}
		if allowed >= full {
			require.Zero(t, refused)
		}
		require.LessOrEqual(t, refused, 3*full/allowed+10)
	})
}

// TestAWaitThatBecomesTooLongEnds checks that a waiting read fails as soon as a refusal makes
// its wait too long. A change keeps waiting, and so does a read that can still be in time.
func TestAWaitThatBecomesTooLongEnds(t *testing.T) {
	fake := testrun.NewClock()
	l := New(1, fake.Clock())
	began := fake.Now()
	arrive(l, Interactive)
	fake.Advance(55 * time.Second)
	read, patient := &waiting{calls: 1}, &waiting{calls: 1}
	require.NoError(t, l.enter(Interactive, 10*time.Second, read))
	change := arrive(l, Interactive)
	require.NoError(t, l.enter(Interactive, 3*time.Minute, patient))
	l.Throttled(began, 30*time.Second)
	<-read.ready
	require.EqualError(t, read.err, "the next request may be sent in 30s, as the service asked for a pause; a read waits for 10s at most")
	require.Equal(t, 2, l.Budget().Waiting)
	fake.Advance(30 * time.Second)
	require.True(t, change.begun())
	fake.Advance(time.Minute)
	<-patient.ready
	require.NoError(t, patient.err)
}

func TestRefusedReadsSayWhy(t *testing.T) {
	fake := testrun.NewClock()
	l := New(20, fake.Clock())
	for range 20 {
		arrive(l, Interactive)
	}
	err := l.enter(Interactive, 10*time.Second, &waiting{calls: 1})
	require.EqualError(t, err, "the next request may be sent in 1m0s, as the limit is 20 a minute; a read waits for 10s at most")
	began := fake.Now()
	fake.Advance(time.Second)
	l.Throttled(began, 0)
	err = l.enter(Interactive, 10*time.Second, &waiting{calls: 1})
	require.EqualError(t, err, "the next request may be sent in 59s, as the service refused more than 19 a minute; a read waits for 10s at most")
}
