package processing

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// oneJob is a store with one job. Its reads fail, so that the job never begins.
type oneJob struct {
	store.Store
	mu       sync.Mutex
	until    time.Time
	claims   int
	released func() error // called before the job is released
	full     bool         // whether the disk is full at the start
}

var errAway = errors.New("the store is away")

func (s *oneJob) Read(context.Context, func(store.Reader) error) error { return errAway }

func (s *oneJob) Abandon(context.Context, string) error {
	if s.full {
		s.until = time.Now().Add(jobLease / 2)
		return store.ErrNoSpace
	}
	return nil
}

func (s *oneJob) Claim(_ context.Context, _ string, lease time.Duration) (store.Work, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.until) {
		return store.Work{}, store.ErrNotFound
	}
	s.claims++
	s.until = time.Now().Add(lease)
	return store.Work{Job: store.Job{GUID: "job"}, Attempts: 1}, nil
}

func (s *oneJob) Release(context.Context, string, string, int) error {
	if err := s.released(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
	return nil
}

func (s *oneJob) claimed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.claims
}

func (s *oneJob) start() *Queue {
	return Start(Config{Store: s, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
}

// TestAReleasedJobCanBegin checks that no worker processes a released job any more when it is
// claimed.
func TestAReleasedJobCanBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, asked := make(chan *Queue, 1), make(chan bool, 1000)
		s := &oneJob{released: func() error {
			q := <-begun
			_, running := q.Progress("job")
			begun <- q
			asked <- running
			return nil
		}}
		q := s.start()
		defer q.Close()
		begun <- q
		for range 3 {
			require.False(t, <-asked)
		}
	})
}

// TestALeaseThatEndsIsSeen checks that the queue notices the end of a lease even if nothing is
// queued afterwards: the job could not be released, or belongs to an earlier process.
func TestALeaseThatEndsIsSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, s := range map[string]*oneJob{
			"not released":  {},
			"not abandoned": {full: true},
		} {
			s.released = func() error { return store.ErrNoSpace }
			q := s.start()
			time.Sleep(3 * jobLease) // on the test's fake clock
			q.Close()
			require.Greater(t, s.claimed(), 1, name)
		}
	})
}

// TestAJobOfAnotherProcessIsSeen checks that the queue soon has a job that an operator's command queued, and so does not
// wake it.
func TestAJobOfAnotherProcessIsSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &oneJob{until: time.Now().Add(time.Millisecond), released: func() error { return store.ErrNoSpace }}
		q := s.start()
		defer q.Close()
		time.Sleep(look) // on the test's fake clock
		synctest.Wait()
		require.Equal(t, 1, s.claimed())
	})
}

// slowContents can be read only once their job's lease has been renewed.
type slowContents struct {
	store.Contents
	renewed chan struct{}
}

type noDraft struct{ store.Draft }

func (noDraft) Discard() {}

func (slowContents) Create(context.Context) (store.Draft, error) { return noDraft{}, nil }

func (s slowContents) Open(ctx context.Context, _ string, _, _ int64) (io.ReadSeekCloser, error) {
	select {
	case <-s.renewed:
		return nil, errAway
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renewedJob reports when its lease is renewed.
type renewedJob struct {
	*oneJob
	renewed chan struct{}
}

func (s renewedJob) Renew(context.Context, string, string, int, time.Duration) error {
	close(s.renewed)
	return nil
}

// TestAPDFThatIsReadForLong checks that a service keeps the job while it reads the PDF.
func TestAPDFThatIsReadForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), jobLease)
		defer stop()
		renewed := make(chan struct{})
		s := renewedJob{&oneJob{}, renewed}
		q := newQueue(Config{Store: s, Contents: slowContents{renewed: renewed}})
		require.ErrorIs(t, q.process(ctx, store.Work{Options: "{}"}, yielding{mostWaiting}), errAway)
	})
}
