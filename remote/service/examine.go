package service

import (
	"context"
	"paperfs/remote/clock"
	"time"
)

const (
	// examinedAtStart is for how long a start waits for the check of the database. The background does the rest.
	examinedAtStart = time.Second
	// examinedEvery is between two checks.
	examinedEvery = 24 * time.Hour
	// examinedRest is for how many times as long as the check of a part took the next one waits: the disk is for requests.
	examinedRest = 9
)

// examiner is an engine in which nobody else looks for damage.
type examiner interface {
	// Examine reads all of the next part after another one, "" for the first, and returns its name, "" after the last. If
	// the part is damaged, from then on Damaged tells of it.
	Examine(ctx context.Context, after string) (part string, err error)
}

// examineAtStart looks for damage before the first change can be lost with it, and returns the last part that it looked at;
// "" if it looked at all.
func (s *Service) examineAtStart() (at string) {
	ctx, stop := context.WithTimeout(context.Background(), examinedAtStart)
	defer stop()
	return s.examine(ctx, "", 0)
}

// examineRounds goes on after a part, and looks at all parts from time to time, until ctx ends.
func (s *Service) examineRounds(ctx context.Context, at string) {
	for ctx.Err() == nil {
		if at == "" {
			_ = clock.Sleep(ctx, examinedEvery)
		}
		at = s.examine(ctx, at, examinedRest)
	}
}

// examine looks at the parts after another one until ctx ends, and returns the last one; "" if it looked at all, or at a
// damaged one.
func (s *Service) examine(ctx context.Context, at string, rest time.Duration) string {
	engine, needed := s.calls.Followers.Store.(examiner)
	for needed && s.calls.Followers.Store.Damaged() == nil {
		began := time.Now()
		part, err := engine.Examine(ctx, at)
		if ctx.Err() != nil {
			return at
		}
		if err != nil {
			s.calls.Log.Error("the check of the database failed", "part", part, "error", err)
		}
		if at = part; at == "" {
			break
		}
		_ = clock.Sleep(ctx, rest*time.Since(began))
	}
	return ""
}
