package processing

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// lostJob is a store whose job another owner has claimed.
type lostJob struct{ *oneJob }

func (lostJob) Renew(context.Context, string, string, int, time.Duration) error {
	return store.ErrNotFound
}

// TestAJobWhoseLeaseIsLostEnds checks that a worker does not go on with a PDF that another one has
// claimed: it notices at the next renewal, and leaves the job alone.
func TestAJobWhoseLeaseIsLostEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 2*jobLease)
		defer stop()
		began := time.Now()
		q := newQueue(Config{Store: lostJob{&oneJob{}}, Contents: slowContents{renewed: make(chan struct{})}})
		require.ErrorIs(t, q.process(ctx, store.Work{Options: "{}"}, yielding{mostWaiting}), errJobGone)
		require.LessOrEqual(t, time.Since(began), jobLease)
	})
}

// readJob is a lost job that begins.
type readJob struct{ lostJob }

func (readJob) Read(context.Context, func(store.Reader) error) error { return nil }

// TestAJobThatIsRemovedWhileItBeginsIsNoError checks that a worker is silent about a PDF that it does not find
// because the job's tenant was removed, or another worker has ended the job.
func TestAJobThatIsRemovedWhileItBeginsIsNoError(t *testing.T) {
	t.Parallel()
	there := make(chan struct{})
	close(there)
	q := newQueue(Config{Store: readJob{}, Contents: slowContents{renewed: there}})
	attempts := testrun.Must(q.run(t.Context(), store.Work{Job: store.Job{GUID: "job"}, Options: "{}", Attempts: 1}, yielding{mostWaiting}))(t)
	require.Equal(t, 1, attempts)
}
