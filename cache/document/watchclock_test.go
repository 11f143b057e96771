package document

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
)

// timedJobs is a service whose jobs end at a time of the fake clock.
type timedJobs struct {
	*fakeService
	mu   sync.Mutex
	ends map[string]time.Time // by GUID; the service does not know the others
	away bool
	look []time.Time // when it was asked
}

func (s *timedJobs) GetProcessingStatus(ctx context.Context, guid string) (remote.JobStatus, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look = append(s.look, time.Now())
	end, known := s.ends[guid]
	switch {
	case !remote.IsBackground(ctx):
		return "", "", &remote.Error{Kind: remote.Refused, Message: "this request does not give way to those that programs wait for"}
	case s.away:
		return "", "", &remote.Error{Kind: remote.Unreachable}
	case !known:
		return "", "", &remote.Error{Kind: remote.Refused, Code: remote.Failure, Message: "No such job."}
	case time.Now().Before(end):
		return remote.JobPending, "", nil
	}
	return remote.JobCompleted, "", nil
}

func (s *timedJobs) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// asked returns how often the service was asked within d.
func (s *timedJobs) asked(d time.Duration) int {
	s.mu.Lock()
	before := len(s.look)
	s.mu.Unlock()
	time.Sleep(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.look) - before
}

// watched is a cache whose jobs are watched on a fake clock.
type watched struct {
	*Cache
	service *timedJobs
	t       *testing.T

	mu    sync.Mutex
	ended map[int64]time.Time // when the end of a paper's job was noticed
}

// watch runs f in a bubble with a fake clock.
func watch(t *testing.T, f func(w *watched)) {
	t.Parallel()
	dirs := state.Dirs{State: filepath.Join(t.TempDir(), "state"), Cache: t.TempDir()}
	statetest.Prepare(t, dirs)
	synctest.Test(t, func(t *testing.T) {
		st, err := state.Open(dirs, "/mnt")
		require.NoError(t, err)
		w := &watched{t: t, ended: map[int64]time.Time{}, service: &timedJobs{fakeService: &fakeService{calls: map[string]int{}}, ends: map[string]time.Time{}}}
		w.Cache, err = New(Options{Service: w.service, State: st, TTL: time.Minute, BaseURL: "https://api.example/", Slept: func() time.Duration { return 0 }})
		require.NoError(t, err)
		end := w.Watch(func(paper int64, job Job) {
			w.mu.Lock()
			defer w.mu.Unlock()
			require.NotContains(t, w.ended, paper, "its end is told once")
			w.ended[paper] = time.Now()
		})
		defer func() {
			end()
			require.Zero(t, w.service.asked(time.Hour), "a watch that has ended asks nothing")
			require.NoError(t, w.Close())
			require.NoError(t, st.Close())
		}()
		f(w)
	})
}

// begins begins a job of a paper that takes d.
func (w *watched) begins(paper int64, guid string, d time.Duration) (end time.Time) {
	end = time.Now().Add(d)
	w.service.set(func() { w.service.ends[guid] = end })
	require.NoError(w.t, w.recordSource(w.t.Context(), paper, Source{SHA256: guid, Size: 1, Written: time.Now(), guid: guid}))
	return end
}

// noticed returns when the end of a paper's job was noticed; zero if it was not.
func (w *watched) noticed(paper int64) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended[paper]
}

// TestTheEndOfAJobIsNoticedThoughNobodyAsks checks that a job is asked about while it is under way and
// at no other time, that its end is noticed soon, and how many requests that takes.
func TestTheEndOfAJobIsNoticedThoughNobodyAsks(t *testing.T) {
	watch(t, func(w *watched) {
		require.Zero(t, w.service.asked(time.Hour), "no job is under way")
		end := w.begins(7, doneJob, 100*time.Second)
		asked := w.service.asked(3 * time.Minute)
		require.InDelta(t, 18, asked, 8, "requests for a job of 100 seconds")
		require.WithinRange(t, w.noticed(7), end, end.Add(maxPoll+watchPause))
		require.Zero(t, w.service.asked(time.Hour), "its end is known")
		end = w.begins(8, pendingJob, time.Second)
		time.Sleep(time.Minute)
		require.WithinRange(t, w.noticed(8), end, end.Add(2*watchPause), "a second job is noticed as well")
	})
}

// TestAServiceThatIsAwayIsAskedSeldom checks that the pause grows while requests fail, and that the
// end of the job is noticed afterwards.
func TestAServiceThatIsAwayIsAskedSeldom(t *testing.T) {
	watch(t, func(w *watched) {
		w.service.set(func() { w.service.away = true })
		w.begins(7, doneJob, time.Second)
		require.LessOrEqual(t, w.service.asked(time.Hour), 70)
		require.Zero(t, w.noticed(7))
		w.service.set(func() { w.service.away = false })
		back := time.Now()
		time.Sleep(10 * time.Minute)
		require.WithinRange(t, w.noticed(7), back, back.Add(maxWatchPause))
		end := w.begins(8, pendingJob, time.Minute)
		time.Sleep(10 * time.Minute)
		require.WithinRange(t, w.noticed(8), end, end.Add(maxPoll+watchPause), "the pause is short again")
	})
}

// TestAJobThatIsUnknownHoldsUpNoOther checks that the end of a job is noticed behind an older one whose
// state cannot be had, and that this one is given up after a day.
func TestAJobThatIsUnknownHoldsUpNoOther(t *testing.T) {
	watch(t, func(w *watched) {
		w.begins(7, unknownJob, 0)
		w.service.set(func() { delete(w.service.ends, unknownJob) })
		time.Sleep(time.Minute)
		end := w.begins(8, doneJob, 0)
		time.Sleep(10 * time.Minute)
		require.WithinRange(t, w.noticed(8), end, end.Add(maxWatchPause))
		require.Zero(t, w.noticed(7))
		time.Sleep(longestJob)
		require.Zero(t, w.service.asked(time.Hour))
	})
}
