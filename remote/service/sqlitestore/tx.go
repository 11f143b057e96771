package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// tx is a store.Writer inside one transaction. Its own methods are in one file per subject.
type tx struct {
	ctx context.Context
	*conn
	records.Queries
	scanPages int64
	tenantID  int64    // the tenant that the change may write
	visiting  bool     // a visit callback is running; see Strict
	external  bool     // the ledger tracks contents
	dropped   []string // keys of dropped contents that are files
	failed    error    // the first failure; after it the transaction can only be left
}

var _ store.Writer = (*tx)(nil)

// newTx prepares the queries of a transaction.
func newTx(t *tx) *tx {
	t.Queries = records.New(t, dialect)
	return t
}

// Strict makes the store panic on uses of a transaction that SQLite permits but other engines do
// not: see the invariants of package store. Tests set it before they open a store.
var Strict bool

// checkUse is called before each statement.
func (t *tx) checkUse(text string) {
	switch {
	case !Strict:
	case t.visiting:
		panic("sqlitestore: a visit callback uses the transaction that calls it: " + text)
	case t.failed != nil:
		panic(fmt.Sprintf("sqlitestore: a transaction is used after it failed (%v): %s", t.failed, text))
	}
}

// Fail implements records.Tx; err may be nil.
func (t *tx) Fail(err error) error {
	if t.failed == nil {
		t.failed = err
	}
	return translate(err)
}

// CheckTenant implements records.Tx: it panics, as checkUse does.
func (t *tx) CheckTenant(tenant int64) error {
	if Strict && t.tenantID != tenant && t.tenantID != store.AllTenants {
		panic(fmt.Sprintf("sqlitestore: a change of tenant %d changes %d", t.tenantID, tenant))
	}
	return nil
}

func (t *tx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	t.checkUse(text)
	r, err := t.conn.ExecContext(ctx, text, args...)
	_ = t.Fail(err)
	return r, err
}

func (t *tx) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	t.checkUse(text)
	return t.conn.QueryRowContext(ctx, text, args...)
}
