package postgresstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
)

// locks is the first number of the advisory locks of changes; the second one is the
// tenant's, 0 that of all.
const locks = 0x70617065

// Each statement of a change sees what was committed before it. So what it sees of
// its tenant is what the change before left, once it has the locks: a state that is
// of one moment, as a Read has it, could be older than the locks.
const (
	lockTenant = `SELECT pg_advisory_xact_lock_shared($1, 0), pg_advisory_xact_lock($1, $2), ` + identity
	lockAll    = `SELECT pg_advisory_xact_lock($1, 0), ` + identity
)

// Write implements store.Store. Once it has its turn, ctx does not end it, so that
// it is not cut off at its commit.
func (s *Store) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	leave, err := s.turns.wait(ctx, tenant)
	if err != nil {
		return fmt.Errorf("begin to change: %w", err)
	}
	defer leave()
	var inner pgx.Tx
	var is transaction
	err = again(ctx, changers, func() (err error) {
		inner, is, err = s.begin(ctx, tenant)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to change: %w", translate(ctx, err))
	}
	ctx = context.WithoutCancel(ctx)
	ended := false
	defer func() {
		if !ended { // f panicked
			_ = inner.Rollback(ctx) // where that fails, the connection is closed
		}
	}()
	t := &tx{ctx: ctx, querier: carrying{inner}, scanPages: s.ScanPages, searchTime: s.SearchTime, tenantID: tenant}
	err = f(t)
	if err == nil {
		err = t.finish()
	}
	if err == nil {
		err = translate(t.ctx, t.failed)
	}
	ended = true
	if err != nil {
		_ = inner.Rollback(ctx) // where that fails, the connection is closed
		return err
	}
	return s.commit(ctx, inner, is)
}

// begin begins a change, with the locks.
func (s *Store) begin(ctx context.Context, tenant int64) (_ pgx.Tx, is transaction, err error) {
	inner, err := s.changing.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, is, err
	}
	if tenant == store.AllTenants {
		err = inner.QueryRow(ctx, lockAll, locks).Scan(nil, &is.number, &is.run)
	} else {
		err = inner.QueryRow(ctx, lockTenant, locks, tenant).Scan(nil, nil, &is.number, &is.run)
	}
	if err == nil && is.run == "" {
		is.run, err = s.beginRun(ctx, inner)
	}
	if err != nil {
		_ = inner.Rollback(context.WithoutCancel(ctx)) // where that fails, the connection is closed
		return nil, is, err
	}
	return inner, is, nil
}
