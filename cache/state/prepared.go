package state

import (
	"context"
	"database/sql/driver"
	"errors"
)

// Statement is one change of the database. Its text is one of few: it stays prepared.
type Statement struct {
	Text string
	Args []any
}

// connection is what the driver's connections can do.
type connection interface {
	driver.Conn
	driver.ExecerContext
	driver.ConnPrepareContext
}

// prepared is the database's connection with the statements that Unsynced has prepared
// there. Only the holder of the connection uses it.
//
// package database/sql prepares a statement for a pool of connections, looks for it
// in each transaction again, and starts a goroutine for the transaction: that takes
// longer than to write a row.
type prepared struct {
	on         connection
	statements map[string]driver.Stmt
}

// unsynced makes changes that wait for no sync. One alone is a transaction by itself.
func (p *prepared) unsynced(c connection, changes []Statement) (err error) {
	if p.on != c { // what was prepared went with the connection before
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

// pragma is not prepared: it does its work while it is.
func (p *prepared) pragma(text string) error {
	_, err := p.on.ExecContext(context.Background(), text, nil)
	return err
}

// close closes the statements, before their connection is closed: SQLite keeps one
// open that has some.
func (p *prepared) close() {
	for _, s := range p.statements {
		_ = s.Close() // its work is over
	}
	p.on, p.statements = nil, nil
}
