package state

import (
	"context"
	"database/sql/driver"
	"strings"
)

// Statement is one change of the database. There are few different texts, so each stays
// prepared.
type Statement struct {
	Text string
	Args []any
}

// connection is the set of methods that the driver's connections have.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// prepared is the database's connection with the statements that Unsynced has prepared on
// it. Only the holder of the connection uses it.
//
// Package database/sql prepares a statement for a pool of connections, searches for it
// again in each transaction, and starts a goroutine for the transaction. That takes longer
// than writing a row.
type prepared struct {
	connection
	state      *State
	statements map[string]driver.Stmt
	unsynced   bool // commits do not wait for a sync
}

// ofUnsynced is the key of the contexts with which Unsynced takes the connection.
type ofUnsynced struct{}

// ResetSession implements [driver.SessionResetter]: whoever takes the connection next commits
// durably, but for Unsynced. SQLite parses a PRAGMA each time, which takes as long as writing a row.
func (p *prepared) ResetSession(ctx context.Context) error {
	if err := p.connection.ResetSession(ctx); err != nil {
		return err
	}
	unsynced := ctx.Value(ofUnsynced{}) != nil
	if unsynced == p.unsynced {
		return nil
	}
	text := "PRAGMA synchronous = FULL"
	if unsynced {
		text = "PRAGMA synchronous = NORMAL"
	}
	// It is not prepared, because a PRAGMA may already take effect when it is prepared.
	if _, err := p.connection.ExecContext(context.WithoutCancel(ctx), text, nil); err != nil {
		return driver.ErrBadConn // nobody uses the connection again
	}
	p.unsynced = unsynced
	return nil
}

// ExecContext implements [driver.ExecerContext], unless the state is lost.
func (p *prepared) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := p.state.Whole(); err != nil {
		return nil, err
	}
	return p.connection.ExecContext(ctx, text, args)
}

// QueryContext implements [driver.QueryerContext]. Only an INSERT that returns something needs the whole state.
func (p *prepared) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if strings.HasPrefix(text, "INSERT") {
		if err := p.state.Whole(); err != nil {
			return nil, err
		}
	}
	return p.connection.QueryContext(ctx, text, args)
}

// change makes changes. A single one is its own transaction.
func (p *prepared) change(changes []Statement) error {
	if len(changes) == 1 {
		return p.exec(changes[0])
	}
	return p.transaction(changes)
}

func (p *prepared) transaction(changes []Statement) (err error) {
	if err := p.exec(Statement{Text: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
	defer func() {
		if err != nil { // SQLite may have undone it already
			_ = p.exec(Statement{Text: "ROLLBACK"})
		}
	}()
	for _, change := range changes {
		if err := p.exec(change); err != nil {
			return err
		}
	}
	return p.exec(Statement{Text: "COMMIT"})
}

func (p *prepared) exec(change Statement) error {
	ctx := context.Background()
	s := p.statements[change.Text]
	if s == nil {
		var err error
		if s, err = p.PrepareContext(ctx, change.Text); err != nil {
			return err
		}
		p.statements[change.Text] = s
	}
	args := make([]driver.NamedValue, len(change.Args))
	for i, arg := range change.Args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		args[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	_, err := s.(driver.StmtExecContext).ExecContext(ctx, args)
	return err
}

// Close closes the statements first: SQLite keeps a connection with statements open. If another mount may have the account by now, the
// connection stays open until the process ends: SQLite would remove the log, which it knows by its name.
func (p *prepared) Close() error {
	if !p.state.has("", lockName, database) {
		return nil
	}
	p.state.release(log) // SQLite removes it
	for _, s := range p.statements {
		_ = s.Close() // it has run; the error does not matter
	}
	return p.connection.Close()
}
