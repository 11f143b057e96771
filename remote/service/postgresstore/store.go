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
	pulse                       *pulse
	// ScanPages is how many pages below a node PagesContaining compares one after
	// the other before it asks the index. Open sets it; it is not to be set while the
	// store is used.
	ScanPages int64
	// SearchTime is how long a search may compare pages, as ScanPages.
	SearchTime time.Duration
	// OutcomeTime is how long a change that was cut off at its commit asks whether it is
	// kept, as ScanPages.
	OutcomeTime time.Duration
	// TogetherTime is how old a transaction may be that a change joins, as ScanPages.
	TogetherTime time.Duration
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Ledger = (*Store)(nil)
)

// Open connects to a database whose schema is up to date; *OlderError tells of one
// whose is not. See Migrate.
func Open(ctx context.Context, url string) (*Store, error) {
	config, asked, err := parse(url)
	if err != nil {
		return nil, err
	}
	s := &Store{pulse: asked, ScanPages: scanPages, SearchTime: searchTime, OutcomeTime: outcomeTime, TogetherTime: togetherTime}
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

// Close closes the connections. All Reads and Writes have to be over.
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
	err := again(ctx, readers, func() (err error) {
		inner, err = s.reading.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to read: %w", translate(ctx, err))
	}
	defer func() { _ = inner.Rollback(context.WithoutCancel(ctx)) }() // where that fails, the connection is closed
	t := &tx{ctx: ctx, querier: carrying{inner}, scanPages: s.ScanPages, searchTime: s.SearchTime}
	if err := f(t); err != nil {
		return err
	}
	return translate(t.ctx, t.failed)
}

// Ready implements store.Store. Its connection is one of those that nobody has for long.
func (s *Store) Ready(ctx context.Context) error {
	err := again(ctx, claimers, func() error {
		var open bool
		return s.claiming.QueryRow(ctx, `SELECT read_only FROM service`).Scan(&open)
	})
	return translate(ctx, err)
}

// again runs a step that changes nothing, and runs it again where its connection was
// gone: when PostgreSQL begins again, all that are idle are.
func again(ctx context.Context, most int, step func() error) error {
	for range most {
		if err := step(); err == nil || ctx.Err() != nil || !isGone(err) {
			return err
		}
	}
	return step()
}
