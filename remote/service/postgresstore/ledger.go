package postgresstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
)

// Intend implements store.Ledger.
func (s *Store) Intend(ctx context.Context, key string) error {
	return givenUp(s.claimed(ctx, `INSERT INTO content (key, state, since) VALUES ($1, 'intended', clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET since = CASE content.state WHEN 'intended' THEN excluded.since ELSE content.since END
		WHERE content.state IN ('intended', 'kept')`, key))
}

// Leftovers implements store.Ledger. A change that is just keeping content has its row locked,
// and kept content is never given up. A row that stays locked is handled the next time.
func (s *Store) Leftovers(ctx context.Context, intended, dropped time.Duration, after store.Leftover, limit int) ([]store.Leftover, error) {
	if err := s.Damaged(); err != nil {
		return nil, err
	}
	_, err := s.claiming.Exec(ctx, `UPDATE content SET state = 'given up', since = clock_timestamp() WHERE key IN (
		SELECT key FROM content WHERE state = 'intended' AND since <= clock_timestamp() - $1::interval FOR UPDATE SKIP LOCKED)`, intended)
	if err != nil {
		return nil, translate(ctx, err)
	}
	rows, err := s.claiming.Query(ctx, `SELECT key, state = 'given up', since FROM content
		WHERE state <> 'kept' AND state <> 'intended' AND since <= clock_timestamp() - $1::interval AND (since, key) > ($3, $4) ORDER BY since, key LIMIT $2`,
		dropped, limit, after.Since, after.Key)
	if err != nil {
		return nil, translate(ctx, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.Leftover])
	return found, translate(ctx, err)
}

// Unknown implements store.Ledger.
func (s *Store) Unknown(ctx context.Context, keys []string) ([]string, error) {
	rows, err := s.reading.Query(ctx, `SELECT key FROM unnest($1::text[]) asked (key) WHERE NOT EXISTS (SELECT 1 FROM content WHERE content.key = asked.key)`, nonNil(keys))
	if err != nil {
		return nil, translate(ctx, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return found, translate(ctx, err)
}

// Forget implements store.Ledger.
func (s *Store) Forget(ctx context.Context, keys []string) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	_, err := s.claiming.Exec(ctx, `DELETE FROM content WHERE key = ANY($1) AND state <> 'kept'`, keys)
	return translate(ctx, err)
}
