package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"paperfs/remote/service/store"
)

// Store is a store.Store. The zero value is not usable; see Open.
type Store struct {
	reading, changing, claiming *pgxpool.Pool
	turns                       turns
	prober                      *prober
	// ScanPages is how many pages below a node PagesContaining compares directly; for more it
	// uses the index. Open sets it. It must not be changed while the store is in use; the same
	// holds for the fields below.
	ScanPages int64
	// SearchTime is how long a search may compare pages.
	SearchTime time.Duration
	// OutcomeTime is how long a change that was cut off at its commit tries to find out whether
	// it was committed.
	OutcomeTime time.Duration
	// BatchWindow is the greatest age of a transaction that a change may join.
	BatchWindow time.Duration

	store.Damage
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Ledger = (*Store)(nil)
)

// Open connects to a database whose schema is up to date. It returns an *OlderError if the schema
// is older; see Migrate.
func Open(ctx context.Context, url string) (*Store, error) {
	config, probing, err := parse(url)
	if err != nil {
		return nil, err
	}
	s := &Store{prober: probing, ScanPages: scanPages, SearchTime: searchTime, OutcomeTime: outcomeTime, BatchWindow: batchWindow}
	config.ConnConfig.OnPgError = s.meeting(config.ConnConfig.OnPgError)
	for _, p := range []struct {
		pool **pgxpool.Pool
		most int32
	}{{&s.reading, readers}, {&s.changing, changers}, {&s.claiming, claimers}} {
		of := config.Copy()
		of.MaxConns, of.MinConns = p.most, 0
		if *p.pool, err = pgxpool.NewWithConfig(ctx, of); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	err = s.reading.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		for _, check := range []func(context.Context, *pgx.Conn) error{check, checkVersion, checkSearch} {
			if err := check(ctx, c.Conn()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the connections. All Reads and Writes must have returned.
func (s *Store) Close() error {
	for _, p := range []*pgxpool.Pool{s.reading, s.changing, s.claiming} {
		if p != nil {
			p.Close()
		}
	}
	return nil
}

// Read implements store.Store. All its queries see the state of the first one.
func (s *Store) Read(ctx context.Context, f func(store.Reader) error) error {
	var inner pgx.Tx
	err := retry(ctx, readers, func() (err error) {
		inner, err = s.reading.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to read: %w", translate(ctx, err))
	}
	defer func() { _ = inner.Rollback(context.WithoutCancel(ctx)) }() // if it fails, the pool closes the connection
	t := newTx(&tx{ctx: ctx, querier: sanitizer{inner}, scanPages: s.ScanPages, searchTime: s.SearchTime})
	if err := f(t); err != nil {
		return s.Note(err)
	}
	return translate(t.ctx, t.failed)
}

// Ready implements store.Store. It uses the pool whose connections are never held for long.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	err := retry(ctx, claimers, func() error {
		var open bool
		return s.claiming.QueryRow(ctx, `SELECT read_only FROM service`).Scan(&open)
	})
	return translate(ctx, err)
}

// retry runs a step that changes nothing, and repeats it while the connection turns out to be
// lost. After a restart of PostgreSQL all idle connections of the pool are.
func retry(ctx context.Context, most int, step func() error) error {
	for range most {
		if err := step(); err == nil || ctx.Err() != nil || !isRetryable(err) {
			return err
		}
	}
	return step()
}
