package sqlitestore

import (
	"database/sql"
	"strings"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

var dialect = &records.Dialect{
	Now:      now,
	Bytes:    `BLOB`,
	NextFile: `NULL`,
	LogPlace: `'here'`, // Snapshot leaves it out
	Beside:   func(table, on string) string { return `JOIN ` + table + ` ON ` + on },
	Jobs:     `SELECT job.guid, job.node, job.created, job.progress, job.status, job.reason FROM job`,
}

// Row implements records.Tx.
func (t *tx) Row(query string, args []any, into ...any) error {
	err := t.QueryRowContext(t.ctx, query, args...).Scan(into...)
	if err == sql.ErrNoRows {
		return store.ErrNotFound
	}
	return t.Fail(err)
}

// Exec implements records.Tx.
func (t *tx) Exec(query string, args ...any) error {
	_, err := t.ExecContext(t.ctx, query, args...)
	return translate(err)
}

// Insert implements records.Tx.
func (t *tx) Insert(query string, args ...any) (int64, error) {
	r, err := t.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, translate(err)
	}
	return r.LastInsertId()
}

// InsertMany implements records.Tx.
func (t *tx) InsertMany(table string, columns []string, count int, row func(i int) ([]any, error)) error {
	text := insertInto(table, columns)
	for i := range count {
		values, err := row(i)
		if err == nil {
			err = t.Change(text, values...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func insertInto(table string, columns []string) string {
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	return `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES (` + places + `)`
}

// Change implements records.Tx.
func (t *tx) Change(query string, args ...any) error {
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

// Each implements records.Tx.
func (t *tx) Each(query string, args []any, visit func(scan func(...any) error) error) error {
	t.checkUse(query)
	s, err := t.borrow(t.ctx, query)
	if err != nil {
		return t.Fail(err)
	}
	defer t.giveBack(query, s)
	rows, err := s.QueryContext(t.ctx, args...)
	if err != nil {
		return t.Fail(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := t.visit(func() error { return visit(rows.Scan) }); err != nil {
			return err
		}
	}
	return t.Fail(rows.Err())
}

// visit runs a visit callback.
func (t *tx) visit(f func() error) error {
	t.visiting = true
	err := f()
	t.visiting = false
	return err
}
