package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// connector opens the database, unless the state is lost: a new connection would take the file of others for this one.
type connector struct {
	driver driver.Driver
	name   string // data source name
	state  *State
}

// openSource is sql.Open with a connector.
func (s *State) openSource(name string) (*sql.DB, error) {
	plain, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	return sql.OpenDB(&connector{plain.Driver(), name, s}), nil
}

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	if err := c.state.Whole(); err != nil {
		return nil, err
	}
	conn, err := c.driver.Open(c.name)
	if err != nil {
		return nil, err
	}
	c.state.release(database)
	if err := c.state.hold(database, log); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &prepared{connection: conn.(connection), state: c.state, statements: map[string]driver.Stmt{}}, nil
}

func (c *connector) Driver() driver.Driver { return c.driver }
