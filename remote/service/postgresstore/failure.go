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

// isGone reports whether a connection that there was is gone, and another one may do: not
// where PostgreSQL was asked over another one already.
func isGone(err error) bool {
	var none *pgconn.ConnectError
	return !errors.As(err, &none) && !errors.Is(err, errSilent) && (isCut(err) || pgconn.SafeToRetry(err))
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
// A caller who went away or ran out of time, such as in line for a connection, says
// nothing of that: his end cuts the connection, and is an error of the network, too.
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
	return isCut(err)
}

// translate turns the driver's errors into those of package store; ctx is the caller's.
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
		if ctx.Err() == nil { // by its limit of time
			return fmt.Errorf("%w: %w", store.ErrSlow, err)
		}
	case "53100": // disk_full
		return fmt.Errorf("%w: %w", store.ErrNoSpace, err)
	}
	return err
}
