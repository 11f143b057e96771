package media

import (
	"context"
	"fmt"
	"time"

	"paperfs/cache/media/tree"
)

// longestDoubt is how long something alone is refused in doubtful words before
// that counts as for good. It begins again with each mount.
const longestDoubt = 24 * time.Hour

// weigh asks the service something harmless after a doubtful failure of an
// attempt that began at a time: where that fails too, everything waits, else d
// alone does, for longestDoubt.
func (s *Store) weigh(ctx context.Context, d *tree.Delivery, began time.Time, err error) error {
	silent := s.answers(ctx, began) != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	switch {
	case silent:
		d.Doubted = time.Time{}
	case d.Doubted.IsZero() || now.Before(d.Doubted): // the clock was set back
		d.Doubted = now
	case now.Sub(d.Doubted) >= longestDoubt:
		return fmt.Errorf("refused for a day, although the service answered other requests: %w", err)
	}
	return &doubt{err, silent}
}

// answers reports why the service itself does not answer, by something harmless
// that is asked after a time.
func (s *Store) answers(ctx context.Context, after time.Time) error {
	if err := s.flights.since(after, nil, s.fetchTree).await(ctx); err != nil {
		return err
	}
	if s.offersTree() {
		return nil
	}
	return s.o.Service.Answers(ctx)
}
