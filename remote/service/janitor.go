package service

import (
	"context"
	"log/slog"
	"sync"
)

// keeper is content that somebody has to clean up for as long as it is served.
type keeper interface {
	Keep(ctx context.Context, log *slog.Logger)
	// Stuck is how much of it stays though nobody needs it.
	Stuck() int
}

// janitor runs Keep beside the service.
type janitor struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// startJanitor returns nil where the contents need none.
func startJanitor(s *Service) *janitor {
	k, ok := s.contents.(keeper)
	if !ok {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	j := &janitor{stop: stop}
	j.ended.Go(func() { k.Keep(ctx, s.log) })
	return j
}

// close ends it, before the records that it reads are closed.
func (j *janitor) close() {
	if j == nil {
		return
	}
	j.stop()
	j.ended.Wait()
}
