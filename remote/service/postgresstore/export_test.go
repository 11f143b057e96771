package postgresstore

import (
	"context"
	"time"
)

// SetQuiet sets how long nothing may come from PostgreSQL, before the store is used.
func (s *Store) SetQuiet(d time.Duration) { s.pulse.quiet = d }

// Kept asks whether a transaction is kept.
func (s *Store) Kept(ctx context.Context, number string) (bool, error) {
	return s.kept(ctx, transaction{number: number})
}

// The two queries of PagesContaining.
const Compared, Indexed = compared, indexed
