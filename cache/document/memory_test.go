package document

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paperfs/remote"
	"paperfs/remote/clock"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var testKey = key{DocLinks, 7, ""}

func memoryOf(t require.TestingT, budget int64, now func() time.Time) *memory {
	m, err := newMemory(budget, now, clock.Slept, &saver{})
	require.NoError(t, err)
	return m
}

// source returns a new value for each request and counts the requests.
type source struct {
	asked   int
	release chan struct{} // if set, an answer waits until this is closed
	err     error
}

func (s *source) get(context.Context) (string, int64, error) {
	s.asked++
	value := fmt.Sprint(s.asked)
	if s.release != nil {
		<-s.release
	}
	return value, 1, s.err
}

func TestAClockThatIsSetBack(t *testing.T) {
	now := time.Now().Round(0) // wall-clock time only
	m, s := memoryOf(t, 100, func() time.Time { return now }), &source{}
	for _, want := range []string{"1", "2", "2"} {
		value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		require.NoError(t, err)
		require.Equal(t, want, value)
		if want == "1" {
			now = now.Add(-24 * time.Hour)
		}
	}
}

// TestAnAnswerGrowsOldWhileTheMachineSleeps uses a clock that does not advance during a
// suspend.
func TestAnAnswerGrowsOldWhileTheMachineSleeps(t *testing.T) {
	now, slept := time.Now(), 8*time.Hour
	m, s := memoryOf(t, 100, func() time.Time { return now }), &source{}
	m.slept = func() time.Duration { return slept }
	for _, c := range []struct {
		sleeps time.Duration
		want   string
	}{{0, "1"}, {59 * time.Second, "1"}, {time.Second, "2"}, {0, "2"}} {
		slept += c.sleeps
		value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		require.NoError(t, err)
		require.Equal(t, c.want, value)
	}
}

func TestReadersShareOneFetchAndItsOutcome(t *testing.T) {
	for _, failure := range []error{nil, errors.New("refused")} {
		synctest.Test(t, func(t *testing.T) {
			m := memoryOf(t, 100, time.Now)
			s := &source{release: make(chan struct{}), err: failure}
			for range 20 {
				go func() {
					value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
					require.ErrorIs(t, err, failure)
					if failure == nil {
						require.Equal(t, "1", value)
					}
				}()
			}
			synctest.Wait()
			close(s.release)
			synctest.Wait()
			require.Equal(t, 1, s.asked)
		})
	}
}

func TestReaderThatLeavesHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memoryOf(t, 100, time.Now)
		s := &source{release: make(chan struct{})}
		leaver, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { // the first caller, so it makes a request of its own
			_, err := fetch(leaver, m, testKey, time.Minute, func(ctx context.Context) (string, int64, error) {
				value, size, err := s.get(ctx)
				return value, size, errors.Join(err, ctx.Err())
			})
			left <- err
		}()
		synctest.Wait()
		stayed := make(chan string, 1)
		go func() {
			value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
			require.NoError(t, err)
			stayed <- value
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-left, context.Canceled)
		close(s.release)
		require.Equal(t, "1", <-stayed)
		require.Equal(t, 1, s.asked)
	})
}

func TestFetchThatBeganBeforeAWriteIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memoryOf(t, 100, time.Now)
		s := &source{release: make(chan struct{})}
		early := make(chan string, 1)
		go func() {
			value, _ := fetch(t.Context(), m, testKey, time.Minute, s.get)
			early <- value
		}()
		synctest.Wait()
		m.forget(func(k key) bool { return k == testKey })
		close(s.release)
		require.Equal(t, "1", <-early, "a reader from before the write gets the old answer")
		value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		require.NoError(t, err)
		require.Equal(t, "2", value)
	})
}

func TestReaderAfterAWriteDoesNotJoinAnEarlierFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memoryOf(t, 100, time.Now)
		slow := &source{release: make(chan struct{})}
		go fetch(t.Context(), m, testKey, time.Minute, slow.get)
		synctest.Wait()
		m.forget(func(k key) bool { return k == testKey })
		value, err := fetch(t.Context(), m, testKey, time.Minute, func(context.Context) (string, int64, error) { return "new", 1, nil })
		require.NoError(t, err)
		require.Equal(t, "new", value)
		close(slow.release)
		synctest.Wait()
		kept, _, _ := m.peek(testKey, time.Minute)
		require.Equal(t, "new", kept)
	})
}

func TestAnswersGrowOld(t *testing.T) {
	now := time.Unix(1000, 0)
	m := memoryOf(t, 100, func() time.Time { return now })
	s := &source{}
	read := func() string {
		value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		require.NoError(t, err)
		return value
	}
	require.Equal(t, "1", read())
	now = now.Add(time.Minute - 1)
	require.Equal(t, "1", read())
	now = now.Add(1)
	require.Equal(t, "2", read())
	require.EqualValues(t, 1, m.used)
}

func TestOldAnswerIsServedOnlyWhileTheServiceIsAway(t *testing.T) {
	for kind, served := range map[remote.Kind]bool{
		remote.Unreachable: true, remote.Stalled: true,
		remote.Refused: false, remote.OverBudget: false, remote.Broken: false,
	} {
		now := time.Unix(1000, 0)
		m := memoryOf(t, 100, func() time.Time { return now })
		s := &source{}
		_, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		require.NoError(t, err)
		now = now.Add(time.Hour)
		s.err = &remote.Error{Op: "GetLinks", Kind: kind}
		value, err := fetch(t.Context(), m, testKey, time.Minute, s.get)
		if served {
			require.NoError(t, err)
			require.Equal(t, "1", value)
		} else {
			require.ErrorIs(t, err, s.err)
		}
	}
}

// TestMemoryKeepsItsBudgetAndNothingWrittenOver checks that the memory never exceeds its
// budget except for a single entry and counts its bytes correctly, whatever is read, forgotten
// and aged, and that it never returns an answer from before a write.
func TestMemoryKeepsItsBudgetAndNothingWrittenOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(1000, 0)
		budget := rapid.Int64Range(0, 50).Draw(t, "budget")
		m := memoryOf(t, budget, func() time.Time { return now })
		version := map[key]int{}
		type held struct{ version, size int }
		keys := rapid.Custom(func(t *rapid.T) key {
			return key{DocLinks, rapid.Int64Range(1, 5).Draw(t, "id"), rapid.SampledFrom([]string{"", "a"}).Draw(t, "arg")}
		})
		t.Repeat(map[string]func(*rapid.T){
			"read": func(t *rapid.T) {
				k, size := keys.Draw(t, "key"), rapid.Int64Range(0, 60).Draw(t, "size")
				got, err := fetch(context.Background(), m, k, time.Minute, func(context.Context) (held, int64, error) {
					return held{version[k], int(size)}, size, nil
				})
				require.NoError(t, err)
				require.Equal(t, version[k], got.version)
			},
			"write": func(t *rapid.T) {
				k := keys.Draw(t, "key")
				version[k]++
				m.forget(func(other key) bool { return other == k })
			},
			"wait": func(t *rapid.T) { now = now.Add(20 * time.Second) },
			"": func(t *rapid.T) {
				var used int64
				for _, e := range m.entries.Values() {
					used += e.size
				}
				require.Equal(t, used, m.used)
				require.True(t, used <= budget || m.entries.Len() == 1)
				require.Empty(t, m.flights)
			},
		})
	})
}
