package postgresstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
)

// tx is a store.Writer inside one transaction. Its methods are in one file per subject.
type tx struct {
	ctx context.Context
	querier
	scanPages  int64
	searchTime time.Duration
	tenantID   int64 // the tenant that the change may write
	pending    pending
	failed     error // the first failure; after it the transaction can only be left
}

var _ store.Writer = (*tx)(nil)

// fail records a failure of the transaction and returns it as an error of package store.
func (t *tx) fail(err error) error {
	if err == nil {
		return nil
	}
	if t.failed == nil {
		t.failed = err
	}
	return translate(t.ctx, err)
}

// row scans the only row of a query; store.ErrNotFound if there is none.
func (t *tx) row(query string, args []any, into ...any) error {
	err := t.QueryRow(t.ctx, query, args...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return t.fail(err)
}

// exec runs a statement that may affect no rows.
func (t *tx) exec(query string, args ...any) error {
	_, err := t.Exec(t.ctx, query, args...)
	return t.fail(err)
}

// change runs a statement that must change a record; store.ErrNotFound if it changes none.
func (t *tx) change(query string, args ...any) error {
	done, err := t.Exec(t.ctx, query, args...)
	if err == nil && done.RowsAffected() == 0 {
		return store.ErrNotFound
	}
	return t.fail(err)
}

// insert runs an INSERT that returns the new id.
func (t *tx) insert(query string, args ...any) (id int64, err error) {
	err = t.row(query, args, &id)
	return id, err
}

// each visits the rows of a query; scan is the Scan of the current row. If visit fails, an error
// of the remaining rows still fails the transaction.
func (t *tx) each(query string, args []any, visit func(scan func(...any) error) error) error {
	rows, err := t.Query(t.ctx, query, args...)
	if err != nil {
		return t.fail(err)
	}
	defer func() {
		rows.Close()
		_ = t.fail(rows.Err())
	}()
	for rows.Next() {
		if err := visit(rows.Scan); err != nil {
			return err
		}
	}
	return t.fail(rows.Err())
}

// copy adds rows to a table in one stream.
func (t *tx) copy(table string, columns []string, count int, row func(i int) ([]any, error)) error {
	if count == 0 {
		return nil
	}
	_, err := t.CopyFrom(t.ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		values, err := row(i)
		return sanitize(values), err
	}))
	return t.fail(err)
}

// all collects the rows of a query.
func all[T any](t *tx, query string, args []any, read func(scan func(...any) error, into *T) error) ([]T, error) {
	var found []T
	err := t.each(query, args, func(scan func(...any) error) error {
		var one T
		err := read(scan, &one)
		found = append(found, one)
		return err
	})
	return found, err
}

// nonNil returns an empty slice for nil, which the driver would send as NULL.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
