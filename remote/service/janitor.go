package service

import (
	"context"
	"log/slog"
	"sync"
)

// keeper is content that needs cleaning while the service runs.
type keeper interface {
	Keep(ctx context.Context, log *slog.Logger)
	// Stuck returns how many unneeded contents could not be removed.
	Stuck() int
}

// janitor runs Keep in the background.
type janitor struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// startJanitor returns nil if the contents need no cleaning.
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

// close ends the janitor. It reads the records, which are closed after it.
func (j *janitor) close() {
	if j == nil {
		return
	}
	j.stop()
	j.ended.Wait()
}
