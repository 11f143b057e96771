package postgresstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// tx is a store.Writer inside one transaction. Its own methods are in one file per subject.
type tx struct {
	ctx context.Context
	querier
	records.Queries
	scanPages  int64
	searchTime time.Duration
	tenantID   int64 // the tenant that the change may write
	pending    pending
	failed     error // the first failure; after it the transaction can only be left
}

var _ store.Writer = (*tx)(nil)

// newTx prepares the queries of a transaction.
func newTx(t *tx) *tx {
	t.Queries = records.New(t, dialect)
	return t
}

var dialect = &records.Dialect{
	Now:        `clock_timestamp()`,
	Bytes:      `bytea`,
	Overriding: `OVERRIDING SYSTEM VALUE`,
	NextFile:   `nextval(pg_get_serial_sequence('media_file', 'id'))`,
	SkipLocked: ` FOR UPDATE SKIP LOCKED`,
	LogPlace:   `CAST(CAST(CAST('event' AS regclass) AS oid) AS text)`, // a restored dump has another table
	Beside:     beside,
	Jobs: `SELECT job.guid, job.node, job.created, coalesce(w.progress, job.progress), job.status, job.reason
		FROM job LEFT JOIN job_work w ON w.job = job.guid`,
}

// beside is records.Dialect.Beside. PostgreSQL expects a hundred rows of each recursion: it would rather read a whole
// table, up to tens of thousands of rows, than look for so many, if OFFSET did not keep it from that.
func beside(table, on string) string {
	return `JOIN LATERAL (SELECT * FROM ` + table + ` WHERE ` + on + ` OFFSET 0) ` + table + ` ON true`
}

// Fail implements records.Tx: it returns the failure as an error of package store.
func (t *tx) Fail(err error) error {
	if err == nil {
		return nil
	}
	if t.failed == nil {
		t.failed = err
	}
	return translate(t.ctx, err)
}

// Row implements records.Tx.
func (t *tx) Row(query string, args []any, into ...any) error {
	err := t.QueryRow(t.ctx, query, args...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return t.Fail(err)
}

// Exec implements records.Tx.
func (t *tx) Exec(query string, args ...any) error {
	_, err := t.querier.Exec(t.ctx, query, args...)
	return t.Fail(err)
}

// Change implements records.Tx.
func (t *tx) Change(query string, args ...any) error {
	done, err := t.querier.Exec(t.ctx, query, args...)
	if err == nil && done.RowsAffected() == 0 {
		return store.ErrNotFound
	}
	return t.Fail(err)
}

// Insert implements records.Tx.
func (t *tx) Insert(query string, args ...any) (id int64, err error) {
	err = t.Row(query+` RETURNING id`, args, &id)
	return id, err
}

// Each implements records.Tx. If visit fails, an error of the remaining rows still fails the
// transaction.
func (t *tx) Each(query string, args []any, visit func(scan func(...any) error) error) error {
	rows, err := t.Query(t.ctx, query, args...)
	if err != nil {
		return t.Fail(err)
	}
	defer func() {
		rows.Close()
		_ = t.Fail(rows.Err())
	}()
	for rows.Next() {
		if err := visit(rows.Scan); err != nil {
			return err
		}
	}
	return t.Fail(rows.Err())
}

// InsertMany implements records.Tx, in one stream.
func (t *tx) InsertMany(table string, columns []string, count int, row func(i int) ([]any, error)) error {
	if count == 0 {
		return nil
	}
	_, err := t.CopyFrom(t.ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		values, err := row(i)
		return sanitize(values), err
	}))
	return t.Fail(err)
}

// nonNil returns an empty slice for nil, which the driver would send as NULL.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
