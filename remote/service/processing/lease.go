package processing

import (
	"context"
	"time"

	"paperfs/remote/service/store"
)

// keep renews the lease of a job until end is called. If the job is lost, the context
// ends and end returns errJobGone.
func (q *Queue) keep(ctx context.Context, w store.Work) (_ context.Context, end func() error) {
	ctx, stop := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		every := time.NewTicker(q.lease / 3)
		defer every.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
			}
			at, _ := q.Progress(w.GUID)
			err := q.store.Renew(ctx, w.GUID, q.owner, at.Percent, q.lease)
			if store.IsNotFound(err) {
				stop(errJobGone)
			} else if err != nil && ctx.Err() == nil {
				q.log.Warn("the lease of a PDF was not renewed", "job", w.GUID, "error", err)
			}
		}
	}()
	return ctx, func() error {
		stop(nil)
		<-ended
		if context.Cause(ctx) == errJobGone {
			return errJobGone
		}
		return nil
	}
}
