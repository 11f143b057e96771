package sqlitestore

import (
	"context"
	"errors"
)

// Examine reads all pages of the next table after another one, "" for the first, and of its indexes, and returns its name;
// "" after the last. If one is damaged, it returns store.ErrDamaged, and so does Damaged from then on. Its connection
// is not of the pool.
func (s *Store) Examine(ctx context.Context, after string) (part string, err error) {
	err = s.reader.QueryRowContext(ctx, `SELECT coalesce(min(name), '') FROM pragma_table_list
		WHERE schema = 'main' AND type IN ('table', 'shadow') AND name > ?`, after).Scan(&part)
	if err != nil || part == "" {
		return "", s.meet(err)
	}
	var fault string
	err = s.reader.QueryRowContext(ctx, `SELECT coalesce(min(quick_check), '') FROM pragma_quick_check(?) WHERE quick_check <> 'ok'`, part).Scan(&fault)
	if fault != "" {
		err = s.Meet(errors.New(fault))
	}
	return part, s.meet(err)
}
