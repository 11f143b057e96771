package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
)

// lockClass is the first number of the advisory locks of changes. The second number is the
// tenant's id, or 0 for the lock of all tenants.
const lockClass = 0x70617065

// Changes are READ COMMITTED: each statement sees what was committed before it. So once a change
// has the locks, it sees the result of the tenant's previous change. A snapshot, as Read uses,
// could be older than the locks.
const (
	lockTenant = `SELECT pg_advisory_xact_lock_shared($1, 0), pg_advisory_xact_lock($1, $2), ` + identity
	lockAll    = `SELECT pg_advisory_xact_lock($1, 0), ` + identity
)

// Write implements store.Store. Once the change has its turn, ctx no longer ends it, so that it
// is not cut off at its commit.
func (s *Store) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	b, err := s.turns.wait(ctx, tenant)
	if err == nil && b == nil {
		if b, err = s.begin(ctx, tenant); err != nil {
			s.turns.leave(tenant)
		}
	}
	if err != nil {
		return fmt.Errorf("begin to change: %w", translate(ctx, err))
	}
	failed := b.change(context.WithoutCancel(ctx), f)
	<-b.done
	return s.Note(b.result(failed))
}

// begin starts a transaction and takes the locks.
func (s *Store) begin(ctx context.Context, tenant int64) (b *batch, err error) {
	err = retry(ctx, changers, func() error {
		c, err := s.changing.Acquire(ctx)
		if err != nil {
			return err
		}
		b = &batch{store: s, conn: c, tenant: tenant, done: make(chan struct{})}
		if err := b.lock(ctx); err != nil {
			b.rollback(ctx)
			c.Release()
			return err
		}
		b.began = time.Now()
		return nil
	})
	return b, err
}

func (b *batch) lock(ctx context.Context) error {
	var both pgx.Batch
	both.Queue(`begin isolation level read committed`)
	query, args, into := lockTenant, []any{lockClass, b.tenant}, []any{nil, nil, &b.xact.number, &b.xact.run}
	if b.tenant == store.AllTenants {
		query, args, into = lockAll, args[:1], into[1:]
	}
	both.Queue(query, args...).QueryRow(func(row pgx.Row) error { return row.Scan(into...) })
	err := b.conn.SendBatch(ctx, &both).Close()
	if err == nil && b.xact.run == "" {
		b.xact.run, err = b.store.beginRun(ctx, b.conn)
	}
	return err
}

var errPanicked = errors.New("the change was broken off")

// change runs one change of the batch. A panic of f undoes only this change.
func (b *batch) change(ctx context.Context, f func(store.Writer) error) (failed error) {
	b.count++
	s := b.store
	t := newTx(&tx{ctx: ctx, querier: sanitizer{b.conn}, scanPages: s.ScanPages, searchTime: s.SearchTime, tenantID: b.tenant})
	failed = errPanicked
	defer func() { failed = b.leave(t, failed) }()
	if failed = f(t); failed == nil {
		failed = translate(t.ctx, t.failed)
	}
	return failed
}
