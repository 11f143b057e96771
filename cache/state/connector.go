package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// connector opens the database after takeBack, and remembers which file it opened.
type connector struct {
	driver driver.Driver
	name   string // data source name
	path   string

	mu   sync.Mutex
	file os.FileInfo // guarded by mu: the file opened last, or nil
	log  os.FileInfo // guarded by mu: its write-ahead log, or nil
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
	log, _ := os.Lstat(c.path + "-wal")
	c.mu.Lock()
	c.file, c.log = file, log
	c.mu.Unlock()
	return &prepared{connection: conn.(connection), statements: map[string]driver.Stmt{}}, nil
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) opened() os.FileInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.file
}

// othersLog reports whether the write-ahead log on disk is not the one of the file that
// was opened.
func (c *connector) othersLog() bool {
	found, err := os.Lstat(c.path + "-wal")
	c.mu.Lock()
	defer c.mu.Unlock()
	return err == nil && c.log != nil && !os.SameFile(found, c.log)
}
