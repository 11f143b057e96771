package postgresstore

import (
	"context"
	"time"
)

// SetQuiet sets how long a connection waits before the prober checks.
func (s *Store) SetQuiet(d time.Duration) { s.prober.quiet.Store(int64(d)) }

// Kept asks whether a transaction was committed.
func (s *Store) Kept(ctx context.Context, number string) (bool, error) {
	return s.kept(ctx, transaction{number: number})
}

// Waiting returns how many changes of a tenant wait for their turn.
func (s *Store) Waiting(tenant int64) int {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	return len(s.turns.line[tenant])
}

// Compared and Indexed are the two queries of PagesContaining.
const Compared, Indexed = compared, indexed

// IsGone and ErrSilent give tests access to the store's failures.
var IsGone, ErrSilent = isRetryable, errSilent
