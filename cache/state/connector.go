package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"sync"
)

// connector opens a database after takeBack, and knows which file that is.
type connector struct {
	driver driver.Driver
	name   string // of the source
	path   string

	mu   sync.Mutex
	file os.FileInfo // guarded by mu: the file that was opened last; nil for none
}

// openSource is sql.Open with a connector.
func openSource(path, name string) (*sql.DB, *connector, error) {
	plain, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, nil, err
	}
	defer plain.Close()
	c := &connector{driver: plain.Driver(), name: name, path: path}
	return sql.OpenDB(c), c, nil
}

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	if err := takeBack(c.path); err != nil {
		return nil, err
	}
	conn, err := c.driver.Open(c.name)
	if err != nil {
		return nil, err
	}
	file, _ := os.Lstat(c.path)
	c.mu.Lock()
	c.file = file
	c.mu.Unlock()
	return conn, nil
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) opened() os.FileInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.file
}
