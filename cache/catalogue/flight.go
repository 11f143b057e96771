package catalogue

import (
	"context"
	"time"

	"paperfs/remote"
)

// flight is one fetch with any number of waiters.
type flight struct {
	done chan struct{}
	err  error // set before done is closed
}

// fetches records which fetch is under way and when the next one is due. Catalogue.mu
// guards both together, so the flights of cache/media/waiter do not fit here: callers
// choose among those by start time, under a lock that ranks before the media store's.
type fetches struct {
	running, queued *flight
	stale           bool          // a caller wants a newer tree than the last started fetch brings
	suspect         bool          // the tree may be stale: at most one fetch per suspectPause
	suspected       time.Time     // when the last fetch for that reason began
	slept           time.Duration // Options.Slept when the last fetch began
	failures        int           // consecutive failed fetches
	notBefore       time.Time     // the next background fetch starts no earlier
	err             error         // of the last fetch
	closed          bool
}

func wait(ctx context.Context, f *flight) error {
	select {
	case <-f.done:
		return f.err
	default:
	}
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return interrupted(remote.GetAllPapers, context.Cause(ctx))
	}
}
