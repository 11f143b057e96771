package state

import (
	"context"
	"database/sql/driver"
	"errors"
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
	driver.ExecerContext
	driver.ConnPrepareContext
}

// prepared is the database's connection with the statements that Unsynced has prepared on
// it. Only the holder of the connection uses it.
//
// Package database/sql prepares a statement for a pool of connections, searches for it
// again in each transaction, and starts a goroutine for the transaction. That takes longer
// than writing a row.
type prepared struct {
	on         connection
	statements map[string]driver.Stmt
}

// unsynced makes changes without waiting for a sync. A single change is its own
// transaction.
func (p *prepared) unsynced(c connection, changes []Statement) (err error) {
	if p.on != c { // the old statements were lost with the previous connection
		p.on, p.statements = c, map[string]driver.Stmt{}
	}
	if err := p.pragma("PRAGMA synchronous = NORMAL"); err != nil {
		return err
	}
	defer func() {
		if failed := p.pragma("PRAGMA synchronous = FULL"); failed != nil {
			p.close()
			err = errors.Join(err, failed, driver.ErrBadConn) // nobody uses the connection again
		}
	}()
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
		if s, err = p.on.PrepareContext(ctx, change.Text); err != nil {
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

// pragma does not prepare its statement, because a PRAGMA may already take effect when it
// is prepared.
func (p *prepared) pragma(text string) error {
	_, err := p.on.ExecContext(context.Background(), text, nil)
	return err
}

// close closes the statements. It must run before their connection is closed: SQLite keeps
// a connection with statements open.
func (p *prepared) close() {
	for _, s := range p.statements {
		_ = s.Close() // it has run; the error does not matter
	}
	p.on, p.statements = nil, nil
}
