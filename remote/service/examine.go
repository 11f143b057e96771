package service

import (
	"context"
	"time"
)

const (
	// examinedAtStart is for how long a start waits for the check of the database. The rest is checked in the background.
	examinedAtStart = time.Second
	// examinedEvery is between two checks.
	examinedEvery = 24 * time.Hour
	// examinedRest is how many times as long as it took to check a part the next one waits: most of the disk is for requests.
	examinedRest = 9
)

// examiner is an engine in which nobody else looks for damage.
type examiner interface {
	// Parts returns the names of what Examine looks at.
	Parts(ctx context.Context) ([]string, error)
	// Examine reads all of a part. After it has met damage, Damaged tells of it.
	Examine(ctx context.Context, part string) error
}

// examineAtStart looks for damage in the records before the first request can change anything, if the engine needs it. It
// returns what else is to be done in the background, until ctx ends.
func (s *Service) examineAtStart(ctx context.Context) (rest func(context.Context)) {
	engine, needed := s.followers.store.(examiner)
	if !needed {
		return func(context.Context) {}
	}
	soon, stop := context.WithTimeout(ctx, examinedAtStart)
	defer stop()
	left := s.examine(soon, engine, s.parts(soon, engine), 0)
	return func(ctx context.Context) {
		for s.store.Damaged() == nil && ctx.Err() == nil {
			s.examine(ctx, engine, left, examinedRest)
			pause(ctx, examinedEvery)
			left = s.parts(ctx, engine)
		}
	}
}

func (s *Service) parts(ctx context.Context, engine examiner) []string {
	parts, err := engine.Parts(ctx)
	s.tellDamage(ctx, err)
	return parts
}

// examine looks at parts until ctx ends, or one is damaged, and returns those that are left.
func (s *Service) examine(ctx context.Context, engine examiner, parts []string, rest time.Duration) []string {
	for ; len(parts) > 0 && s.store.Damaged() == nil; parts = parts[1:] {
		began := time.Now()
		err := engine.Examine(ctx, parts[0])
		if ctx.Err() != nil {
			break
		}
		s.tellDamage(ctx, err)
		pause(ctx, rest*time.Since(began))
	}
	return parts
}

func (s *Service) tellDamage(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.log.Error("the check of the database failed", "error", err)
	}
}

// pause waits until d has passed or ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
