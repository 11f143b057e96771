package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"paperfs/remote/service/store"
)

// Store is a store.Store. The zero value is not usable; see Open.
type Store struct {
	reading, changing, claiming *pgxpool.Pool
	turns                       turns
	// ScanPages is how many pages below a node PagesContaining compares one after
	// the other before it asks the index. Open sets it; it is not to be set while the
	// store is used.
	ScanPages int64
	// SearchTime is how long a search may compare pages, as ScanPages.
	SearchTime time.Duration
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Ledger = (*Store)(nil)
)

// Open connects to a database whose schema is up to date; *OlderError tells of one
// whose is not. See Migrate.
func Open(ctx context.Context, url string) (*Store, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	s := &Store{ScanPages: scanPages, SearchTime: searchTime}
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
		return fmt.Errorf("begin to read: %w", translate(err))
	}
	defer func() { _ = inner.Rollback(context.WithoutCancel(ctx)) }() // where that fails, the connection is closed
	t := &tx{ctx: ctx, querier: carrying{inner}, scanPages: s.ScanPages, searchTime: s.SearchTime}
	if err := f(t); err != nil {
		return err
	}
	return translate(t.failed)
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

// isGone reports whether a connection that there was is gone.
func isGone(err error) bool {
	var none *pgconn.ConnectError
	return !errors.As(err, &none) && (isCut(err) || pgconn.SafeToRetry(err))
}

// isCut reports whether a connection ended, or none came about.
func isCut(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return strings.HasPrefix(refused.Code, "57P") // the server ends, or ended it
	}
	var network net.Error
	return errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network)
}

// isAway reports whether PostgreSQL cannot be reached, or takes no more connections.
// The end of a caller's context does not tell.
func isAway(err error) bool {
	var none *pgconn.ConnectError
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &none):
		return true
	case errors.As(err, &refused) && refused.Code == "53300": // too_many_connections
		return true
	}
	return isCut(err)
}

// querier is what a transaction and a connection have in common.
type querier interface {
	Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, text string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, text string, args ...any) pgx.Row
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// tx is a store.Writer inside one transaction. Its methods are in one file a
// subject.
type tx struct {
	ctx context.Context
	querier
	scanPages  int64
	searchTime time.Duration
	tenantID   int64 // whose change it is
	pending    pending
	failed     error // the first failure; with it the transaction can only be left
}

var _ store.Writer = (*tx)(nil)

// fail notes a failure of the transaction, and returns it as one of package store.
func (t *tx) fail(err error) error {
	if err == nil {
		return nil
	}
	if t.failed == nil {
		t.failed = err
	}
	return translate(err)
}

// row scans the only row of a query: store.ErrNotFound if there is none.
func (t *tx) row(query string, args []any, into ...any) error {
	err := t.QueryRow(t.ctx, query, args...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return t.fail(err)
}

// exec runs a statement that may change nothing.
func (t *tx) exec(query string, args ...any) error {
	_, err := t.Exec(t.ctx, query, args...)
	return t.fail(err)
}

// change runs a statement that has to change a record: store.ErrNotFound if it
// changes none.
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

// each visits the rows of a query; scan is the Scan of the current row.
func (t *tx) each(query string, args []any, visit func(scan func(...any) error) error) error {
	rows, err := t.Query(t.ctx, query, args...)
	if err != nil {
		return t.fail(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows.Scan); err != nil {
			return err
		}
	}
	return t.fail(rows.Err())
}

// copy adds rows to a table, in one stream.
func (t *tx) copy(table string, columns []string, count int, row func(i int) ([]any, error)) error {
	if count == 0 {
		return nil
	}
	_, err := t.CopyFrom(t.ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		values, err := row(i)
		return carried(values), err
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

// translate turns the driver's errors into those of package store.
func translate(err error) error {
	var failure *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return store.ErrNotFound
	case errors.Is(err, store.ErrTaken), errors.Is(err, store.ErrNoSpace), errors.Is(err, store.ErrAway):
		return err
	case isAway(err):
		return fmt.Errorf("PostgreSQL %w: %w", store.ErrAway, err)
	case !errors.As(err, &failure):
		return err
	}
	switch failure.Code {
	case "23505": // unique_violation
		return fmt.Errorf("%w: %w", store.ErrTaken, err)
	case "57014": // query_canceled
		if !errors.Is(err, context.Canceled) { // by its limit of time
			return fmt.Errorf("%w: %w", store.ErrSlow, err)
		}
	case "53100": // disk_full
		return fmt.Errorf("%w: %w", store.ErrNoSpace, err)
	}
	return err
}
