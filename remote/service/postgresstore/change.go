package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"paperfs/remote/service/store"
)

// locks is the first number of the advisory locks of changes; the second one is the
// tenant's, 0 that of all.
const locks = 0x70617065

// Each statement of a change sees what was committed before it. So what it sees of
// its tenant is what the change before left, once it has the locks: a state that is
// of one moment, as a Read has it, could be older than the locks.
const (
	lockTenant = `SELECT pg_advisory_xact_lock_shared($1, 0), pg_advisory_xact_lock($1, $2), pg_current_xact_id()::text`
	lockAll    = `SELECT pg_advisory_xact_lock($1, 0), pg_current_xact_id()::text`
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
	var number string // of the transaction
	err = again(ctx, changers, func() (err error) {
		inner, number, err = s.begin(ctx, tenant)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to change: %w", translate(err))
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
		err = translate(t.failed)
	}
	ended = true
	if err != nil {
		_ = inner.Rollback(ctx) // where that fails, the connection is closed
		return err
	}
	return s.commit(ctx, inner, number)
}

// begin begins a change, with the locks.
func (s *Store) begin(ctx context.Context, tenant int64) (_ pgx.Tx, number string, err error) {
	inner, err := s.changing.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, "", err
	}
	if tenant == store.AllTenants {
		err = inner.QueryRow(ctx, lockAll, locks).Scan(nil, &number)
	} else {
		err = inner.QueryRow(ctx, lockTenant, locks, tenant).Scan(nil, nil, &number)
	}
	if err != nil {
		_ = inner.Rollback(context.WithoutCancel(ctx)) // where that fails, the connection is closed
		return nil, "", err
	}
	return inner, number, nil
}

// commit returns nil when the change is on the disk. Where the connection ended at
// that moment, it asks for the outcome over another one.
func (s *Store) commit(ctx context.Context, inner pgx.Tx, number string) error {
	err := inner.Commit(ctx)
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && !inner.Conn().IsClosed(), errors.Is(err, pgx.ErrTxCommitRollback):
		return fmt.Errorf("commit: %w", translate(err))
	}
	outcome, unknown := s.outcome(ctx, number)
	switch {
	case unknown != nil:
		return fmt.Errorf("commit: %w; whether the change is kept is not known: %w", translate(err), unknown)
	case outcome == "committed":
		return nil
	}
	return fmt.Errorf("commit: %w; the change is not kept", translate(err))
}

// outcomeLimit is how long an outcome is asked for: for longer than a database takes
// to begin again after a crash.
const outcomeLimit = 20 * time.Second

// outcome asks what became of a transaction until there is an answer.
func (s *Store) outcome(ctx context.Context, number string) (outcome string, err error) {
	ctx, stop := context.WithTimeout(ctx, outcomeLimit)
	defer stop()
	for {
		var status *string
		err = s.claiming.QueryRow(ctx, `SELECT pg_xact_status($1::text::xid8)`, number).Scan(&status)
		switch {
		case err == nil && status == nil:
			return "", errors.New("PostgreSQL has forgotten it")
		case err == nil && *status != "in progress":
			return *status, nil
		case err == nil:
			err = errors.New("it is still under way")
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(100 * time.Millisecond):
		}
	}
}
