package sqlitestore

import (
	"context"
	"errors"
)

// Parts returns the names of what Examine looks at.
func (s *Store) Parts(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name`)
}

// Examine reads all pages of a part, a table with its indexes, through a connection that is not of the pool. If one is
// damaged, Examine returns store.ErrDamaged, and so does Damaged from then on.
func (s *Store) Examine(ctx context.Context, part string) error {
	faults, err := s.texts(ctx, `SELECT quick_check FROM pragma_quick_check(?) WHERE quick_check <> 'ok'`, part)
	if err == nil && len(faults) > 0 {
		err = s.Meet(errors.New(faults[0]))
	}
	return err
}

func (s *Store) texts(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := s.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.meet(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, s.meet(err)
		}
		all = append(all, text)
	}
	return all, s.meet(rows.Err())
}
