package postgresstore

import "context"

// Kept asks whether a transaction is kept.
func (s *Store) Kept(ctx context.Context, number string) (bool, error) {
	return s.kept(ctx, transaction{number: number})
}

// The two queries of PagesContaining.
const Compared, Indexed = compared, indexed
