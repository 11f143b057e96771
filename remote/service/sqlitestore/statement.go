package sqlitestore

import (
	"database/sql"

	"paperfs/remote/service/store"
)

// row scans the only row of a query; store.ErrNotFound if there is none.
func (t *tx) row(query string, args []any, into ...any) error {
	err := t.QueryRowContext(t.ctx, query, args...).Scan(into...)
	if err != nil && err != sql.ErrNoRows {
		t.fail(err)
	}
	return translate(err)
}

// insert runs an INSERT and returns the new id.
func (t *tx) insert(query string, args ...any) (int64, error) {
	r, err := t.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, translate(err)
	}
	return r.LastInsertId()
}

// change runs a statement that must change a record; store.ErrNotFound if it changes none.
func (t *tx) change(query string, args ...any) error {
	r, err := t.ExecContext(t.ctx, query, args...)
	if err != nil {
		return translate(err)
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}

// each visits the rows of a query; scan is the Scan of the current row.
func (t *tx) each(query string, args []any, visit func(scan func(...any) error) error) error {
	rows, err := t.QueryContext(t.ctx, query, args...)
	if err != nil {
		t.fail(err)
		return translate(err)
	}
	defer rows.Close()
	for rows.Next() {
		t.visiting = true
		err := visit(rows.Scan)
		t.visiting = false
		if err != nil {
			return err
		}
	}
	t.fail(rows.Err())
	return translate(rows.Err())
}

// visit runs a visit callback.
func (t *tx) visit(f func() error) error {
	t.visiting = true
	err := f()
	t.visiting = false
	return err
}
