package cause

import (
	"context"
	"errors"

	"paperfs/cache/content/outbox"
	"paperfs/remote"
)

// Cancelled reports whether an attempt with this context failed because it was cancelled in the outbox.
func Cancelled(ctx context.Context, err error) bool {
	return err != nil && (context.Cause(ctx) == outbox.ErrCancelled || errors.Is(err, outbox.ErrCancelled))
}

// Outcome classifies the error of an attempt to send something queued, unless it was cancelled. closed
// reports whether the outbox has ended.
func Outcome(err error, closed bool) outbox.Outcome {
	e, _ := errors.AsType[*remote.Error](err)
	switch {
	case err == nil:
		return outbox.Sent
	case closed && Interrupted(err):
		return outbox.Interrupted
	case General(err):
		return outbox.Blocked
	case Passing(err) || IsLocal(err) || Interrupted(err): // only the user waits for it
		return outbox.Failed
	case e != nil && e.Code == remote.AlreadyBeingProcessed:
		return outbox.Failed
	}
	return outbox.Refused
}
