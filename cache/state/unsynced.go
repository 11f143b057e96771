package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
)

// Unsynced runs f in a transaction that is kept when Unsynced returns, however
// this process ends; what the machine's own end leaves of it is certain only
// after Sync. Whatever is committed by other ways is durable at once, and all
// before it.
func (s *State) Unsynced(f func(*sql.Tx) error) (err error) {
	ctx := context.Background()
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "PRAGMA synchronous = NORMAL"); err != nil {
		return err
	}
	defer func() {
		if _, failed := c.ExecContext(ctx, "PRAGMA synchronous = FULL"); failed != nil {
			_ = c.Raw(func(any) error { return driver.ErrBadConn }) // nobody uses the connection again
			err = errors.Join(err, failed)
		}
	}()
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Sync makes durable what Unsynced has kept. It holds up no transaction.
func (s *State) Sync() error {
	s.mu.Lock()
	err := s.undir
	s.mu.Unlock()
	if err != nil {
		return err
	}
	// By its name each time: SQLite makes a new log with a new connection.
	// It has no locks on it that closing it here would lose.
	log, err := os.Open(s.path() + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil // all of it is in the database, which was synced then
	}
	if err != nil {
		return err
	}
	defer log.Close()
	return log.Sync()
}
