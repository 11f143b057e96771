package processing

import (
	"context"
	"errors"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// run processes a job. After an error the job is still pending, with the returned number
// of attempts.
func (q *Queue) run(ctx context.Context, w store.Work, y yielding) (attempts int, err error) {
	if w.Attempts > mostAttempts {
		return w.Attempts, q.fail(w, "Processing was started several times and never finished: the service or its worker was killed.")
	}
	if err := q.mayBegin(w); err != nil {
		if refused := (*answer.Fault)(nil); errors.As(err, &refused) {
			return w.Attempts, q.fail(w, refused.Message)
		}
		if store.IsNotFound(err) {
			return w.Attempts, nil // its tenant was removed
		}
		return w.Attempts - 1, err
	}
	err = q.process(ctx, w, y)
	var failure *pdf.Failure
	switch {
	case err == nil, errors.Is(err, errJobGone):
		return w.Attempts, nil
	case ctx.Err() != nil, errors.Is(err, store.ErrAway): // the service is closing, or the store is away: this was no attempt
		return w.Attempts - 1, err
	case errors.As(err, &failure):
		return w.Attempts, q.fail(w, failure.Reason)
	case w.Attempts+failedAttempt > mostAttempts:
		return w.Attempts, q.fail(w, "It could not be processed: "+err.Error()+".")
	}
	at, _ := q.Progress(w.GUID)
	if store.IsNotFound(q.store.Renew(ctx, w.GUID, q.owner, at.Percent, q.lease)) {
		return w.Attempts, nil // its tenant was removed, and its PDF with it
	}
	return w.Attempts - 1 + failedAttempt, err
}

// fail ends a job without new pages. The tenant gets the processing of its licence back.
func (q *Queue) fail(w store.Work, reason string) error {
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error {
		if err := q.endWork(tx, w); err != nil {
			return err
		}
		r, err := tx.Rendition(w.Paper)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		w.Status, w.Reason = remote.JobFailed, reason
		if err := tx.PutJob(w.Job); err != nil {
			return err
		}
		kept, _, err := tx.KeptPDF(w.PDF)
		if err != nil {
			return err
		}
		if kept { // it was to be restored, free of the licence
			return tx.NotUndone(w.PDF)
		}
		if w.PDF != r.PDF { // otherwise the paper's pages were made from it
			if err := tx.DropContent(w.PDF); err != nil {
				return err
			}
		}
		return tx.ReturnProcessing(w.Tenant)
	})
	if errors.Is(err, errJobGone) {
		return nil
	}
	if err != nil {
		return err
	}
	q.log.Warn("PDF failed", "job", w.GUID, "paper", w.Paper, "reason", reason)
	return nil
}

// errJobGone means that, while a job was under way, its tenant was removed, or its lease
// ended and another owner claimed it.
var errJobGone = errors.New("the job was removed, or another worker has claimed it")

func (q *Queue) endWork(tx store.Writer, w store.Work) error {
	err := tx.EndWork(w.GUID, q.owner)
	if store.IsNotFound(err) {
		return errJobGone
	}
	return err
}

// release frees a job for any worker. If that fails, the job is free when its lease ends.
func (q *Queue) release(w store.Work, attempts int) {
	err := q.store.Release(context.Background(), w.GUID, q.owner, attempts)
	if store.IgnoreNotFound(err) != nil {
		q.log.Error("a PDF is not released; it waits until its lease ends", "job", w.GUID, "error", err)
	}
}
