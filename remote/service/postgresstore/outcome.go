package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"paperfs/remote/clock"
	"paperfs/remote/service/store"
)

// transaction identifies a transaction. The number alone is not enough: a crash loses the
// transactions whose WAL was not written yet, and PostgreSQL then reuses their numbers.
type transaction struct {
	number string
	run    string // the run of PostgreSQL
}

const identity = `pg_current_xact_id()::text, ` + runNow

const runNow = `coalesce((SELECT id::text FROM run), '')`

// beginRun gives the run of PostgreSQL a new id, which it lacks after a crash. It uses a
// connection of its own, so that no change has to wait for the end of another.
func (s *Store) beginRun(ctx context.Context, inner *pgxpool.Conn) (run string, err error) {
	if _, err := s.claiming.Exec(ctx, `INSERT INTO run DEFAULT VALUES ON CONFLICT DO NOTHING`); err != nil {
		return "", err
	}
	err = inner.QueryRow(ctx, `SELECT `+runNow).Scan(&run)
	return run, err
}

// outcomeTime is how long a change tries to find out an outcome: longer than a database takes to
// restart after a crash.
const outcomeTime = 20 * time.Second

// outcome asks whether a transaction was committed until there is an answer.
func (s *Store) outcome(ctx context.Context, xact transaction) (kept bool, err error) {
	ctx, stop := context.WithTimeout(ctx, s.OutcomeTime)
	defer stop()
	for {
		if kept, err = s.kept(ctx, xact); err == nil || store.IsNotFound(err) {
			return kept, err
		}
		if clock.Sleep(ctx, 100*time.Millisecond) != nil {
			return false, err
		}
	}
}

// kept asks once. store.ErrNotFound: it is too late to know.
func (s *Store) kept(ctx context.Context, xact transaction) (bool, error) {
	var status *string
	var run string
	err := s.claiming.QueryRow(ctx, `SELECT pg_xact_status($1::text::xid8), `+runNow, xact.number).Scan(&status, &run)
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && refused.Code == "22023": // the number is in the future: a crash lost it, or the standby that took over never received it
		return false, nil
	case err != nil:
		return false, translate(ctx, err)
	case status == nil:
		return false, fmt.Errorf("PostgreSQL has forgotten transaction %s: %w", xact.number, store.ErrNotFound)
	case *status == "aborted":
		return false, nil
	case run != xact.run: // not if aborted: even under a reused number that proves that the transaction was lost
		return false, fmt.Errorf("PostgreSQL restarted after a crash, and another change may have the number %s: %w", xact.number, store.ErrNotFound)
	case *status == "in progress":
		return false, errors.New("the change is still under way")
	}
	return true, nil
}
