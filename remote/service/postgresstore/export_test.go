package postgresstore

import (
	"context"
	"time"
)

// SetQuiet sets how long nothing may come from PostgreSQL, before the store is used.
func (s *Store) SetQuiet(d time.Duration) { s.prober.quiet = d }

// Kept asks whether a transaction is kept.
func (s *Store) Kept(ctx context.Context, number string) (bool, error) {
	return s.kept(ctx, transaction{number: number})
}

// Waiting is how many changes of a tenant wait for their turn.
func (s *Store) Waiting(tenant int64) int {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	return len(s.turns.line[tenant])
}

// The two queries of PagesContaining.
const Compared, Indexed = compared, indexed

// IsGone and ErrSilent are of failures.
var IsGone, ErrSilent = isRetryable, errSilent
