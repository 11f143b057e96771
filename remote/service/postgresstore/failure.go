package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"paperfs/remote/service/store"
)

// isRetryable reports whether an existing connection was lost, so that another one may work. It
// is false if the prober has already found PostgreSQL silent.
func isRetryable(err error) bool {
	var none *pgconn.ConnectError
	return !errors.As(err, &none) && !errors.Is(err, errSilent) && (isDisconnect(err) || pgconn.SafeToRetry(err))
}

// isDisconnect reports whether a connection ended or could not be made.
func isDisconnect(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return strings.HasPrefix(refused.Code, "57P") // the server is shutting down or crashed
	}
	var network net.Error
	return errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network)
}

// isAway reports whether PostgreSQL cannot be reached or accepts no more connections. It is false
// if the caller canceled or ran out of time, for example while waiting for a connection: that
// also cuts the connection and looks like a network error.
func isAway(ctx context.Context, err error) bool {
	var none *pgconn.ConnectError
	var refused *pgconn.PgError
	switch {
	case err == nil, ctx.Err() != nil:
		return false
	case errors.As(err, &none):
		return true
	case errors.As(err, &refused) && refused.Code == "53300": // too_many_connections
		return true
	}
	return isDisconnect(err)
}

// isDamage reports whether PostgreSQL has met a damaged table or index.
func isDamage(answer *pgconn.PgError) bool {
	return answer.Code == "XX001" || answer.Code == "XX002" // data_corrupted, index_corrupted
}

// meeting returns a handler that notes damage in each answer of PostgreSQL, before next.
func (s *Store) meeting(next pgconn.PgErrorHandler) pgconn.PgErrorHandler {
	return func(c *pgconn.PgConn, answer *pgconn.PgError) bool {
		if isDamage(answer) {
			_ = s.Meet(answer) // translate returns it to the caller
		}
		return next(c, answer)
	}
}

// translate converts the driver's errors to those of package store; ctx is the caller's.
func translate(ctx context.Context, err error) error {
	var failure *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return store.ErrNotFound
	case errors.Is(err, store.ErrTaken), errors.Is(err, store.ErrNoSpace), errors.Is(err, store.ErrAway):
		return err
	case isAway(ctx, err):
		return fmt.Errorf("PostgreSQL %w: %w", store.ErrAway, err)
	case !errors.As(err, &failure):
		return err
	}
	switch failure.Code {
	case "23505": // unique_violation
		return fmt.Errorf("%w: %w", store.ErrTaken, err)
	case "57014": // query_canceled
		if ctx.Err() == nil { // statement_timeout
			return fmt.Errorf("%w: %w", store.ErrSlow, err)
		}
	case "53100": // disk_full
		return fmt.Errorf("%w: %w", store.ErrNoSpace, err)
	}
	if isDamage(failure) {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return err
}
