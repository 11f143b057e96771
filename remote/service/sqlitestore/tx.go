package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"

	"paperfs/remote/service/store"
)

// tx is a store.Writer inside one transaction. Its methods are in one file a
// subject.
type tx struct {
	ctx context.Context
	*conn
	scanPages int64
	tenantID  int64    // whose change it is
	visiting  bool     // a visit is under way; see Strict
	elsewhere bool     // contents are in the ledger
	dropped   []string // keys of contents that are files
	failed    error    // the first failure; with it the transaction can only be left
}

var _ store.Writer = (*tx)(nil)

// Strict has a use of a transaction panic that SQLite would let pass and another
// engine does not: see the invariants of package store. Tests set it before they
// open a store.
var Strict bool

// use is called before each statement.
func (t *tx) use(text string) {
	switch {
	case !Strict:
	case t.visiting:
		panic("sqlitestore: a visit asks the transaction that it is a visit of: " + text)
	case t.failed != nil:
		panic(fmt.Sprintf("sqlitestore: a transaction that failed (%v) is asked: %s", t.failed, text))
	}
}

// fail notes a failure of the transaction; nil is none.
func (t *tx) fail(err error) {
	if t.failed == nil {
		t.failed = err
	}
}

// of holds a change to its tenant.
func (t *tx) of(tenant int64) {
	if Strict && t.tenantID != tenant && t.tenantID != store.AllTenants {
		panic(fmt.Sprintf("sqlitestore: a change of tenant %d changes %d", t.tenantID, tenant))
	}
}

func (t *tx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	t.use(text)
	r, err := t.conn.ExecContext(ctx, text, args...)
	t.fail(err)
	return r, err
}

func (t *tx) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	t.use(text)
	return t.conn.QueryRowContext(ctx, text, args...)
}

func (t *tx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	t.use(text)
	return t.conn.QueryContext(ctx, text, args...)
}
