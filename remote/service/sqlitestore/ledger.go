package sqlitestore

import (
	"context"
	"time"

	"paperfs/remote/service/store"
)

// Intend implements store.Ledger.
func (s *Store) Intend(ctx context.Context, key string) error {
	err := s.claims(ctx, func(t *tx) error {
		return t.Change(`INSERT INTO content (key, state, since) VALUES (?, 0, `+now+`) ON CONFLICT (key) DO UPDATE SET since = CASE state WHEN 0 THEN excluded.since ELSE since END WHERE state IN (0, 1)`, key)
	})
	return givenUp(err)
}

// Leftovers implements store.Ledger.
func (s *Store) Leftovers(ctx context.Context, intended, dropped time.Duration, after store.Leftover, limit int) (found []store.Leftover, err error) {
	err = s.claims(ctx, func(t *tx) error {
		_, err := t.ExecContext(t.ctx, `UPDATE content SET state = 2, since = `+now+` WHERE state = 0 AND since <= `+now+` - ?`, intended.Milliseconds())
		if err != nil {
			return translate(err)
		}
		return t.Each(`SELECT key, state = 2, since FROM content WHERE state IN (2, 3) AND state <> 1 AND since <= `+now+` - ? AND (since, key) > (?, ?) ORDER BY since, key LIMIT ?`,
			[]any{dropped.Milliseconds(), after.Since.UnixMilli(), after.Key, limit}, func(scan func(...any) error) error {
				var l store.Leftover
				var since int64
				err := scan(&l.Key, &l.Uncommitted, &since)
				l.Since = time.UnixMilli(since)
				found = append(found, l)
				return err
			})
	})
	return found, err
}

// Unknown implements store.Ledger.
func (s *Store) Unknown(ctx context.Context, keys []string) (found []string, err error) {
	err = s.claims(ctx, func(t *tx) error {
		for _, key := range keys {
			err := t.Each(`SELECT ? WHERE NOT EXISTS (SELECT 1 FROM content WHERE key = ?1)`, []any{key}, func(scan func(...any) error) error {
				found = append(found, key)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// Forget implements store.Ledger.
func (s *Store) Forget(ctx context.Context, keys []string) error {
	return s.claims(ctx, func(t *tx) error {
		for _, key := range keys {
			if err := t.Exec(`DELETE FROM content WHERE key = ? AND state <> 1`, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropContent implements store.ContentWriter. Files have no ledger: if a crash leaves some
// between the commit and the end of Write, a sweep removes them.
func (t *tx) DropContent(key string) error {
	switch {
	case key == "":
		return nil
	case t.external:
		return t.dropEntry(key)
	}
	t.dropped = append(t.dropped, key)
	return nil
}

// KeepContent implements store.ContentWriter.
func (t *tx) KeepContent(key string) error {
	if key == "" || !t.external {
		return nil
	}
	return t.keepEntry(key)
}

// keepEntry marks intended content as kept.
func (t *tx) keepEntry(key string) error {
	return givenUp(t.Change(`UPDATE content SET state = 1, since = `+now+` WHERE key = ? AND state IN (0, 1)`, key))
}

// dropEntry marks content as dropped. Content that was given up stays so.
func (t *tx) dropEntry(key string) error {
	return t.Exec(`UPDATE content SET state = 3, since = `+now+` WHERE key = ? AND state IN (0, 1)`, key)
}

func givenUp(err error) error {
	if store.IsNotFound(err) {
		return store.ErrGivenUp
	}
	return err
}
