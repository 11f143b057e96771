package catalogue

import (
	"context"
	"time"

	"paperfs/remote"
)

// flight is one fetch, for any number of waiters.
type flight struct {
	done chan struct{}
	err  error // set when done is closed
}

// fetches says which fetch is under way and when the next one is due. The
// catalogue's mu guards both, so the flights of the media store do not fit here:
// those are judged by when they began, under a lock that comes before the store's.
type fetches struct {
	running, queued *flight
	stale           bool          // somebody wants a newer tree than that of the last fetch that began
	suspect         bool          // as stale, but it is only a guess: at most one fetch in suspectPause
	suspected       time.Time     // when the last fetch for such a guess began
	slept           time.Duration // how long the machine had slept when the last fetch began
	failed          int           // fetches in a row
	notBefore       time.Time     // when the next one in the background may begin
	err             error
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
