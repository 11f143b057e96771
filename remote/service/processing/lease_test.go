package processing

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
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
