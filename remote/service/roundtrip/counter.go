// Package roundtrip counts what passes between PostgreSQL and those who ask it: how
// often they wait for an answer, and how many rows come back. It stands between them as
// a socket of its own, so that it counts what is on the wire: statements that go
// together are one round trip.
package roundtrip

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
)

// Counter is between a PostgreSQL on a socket and those who ask it.
type Counter struct {
	dir         string // of its socket
	path        string // of PostgreSQL's
	address     string
	listener    net.Listener
	trips, rows atomic.Int64
	open        sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // guarded by mu; nil once it is closed
}

// Start begins to count what goes to a database, whose address names the directory of
// a socket as its host.
func Start(database string) (*Counter, error) {
	config, err := pgconn.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	network, path := pgconn.NetworkAddress(config.Host, config.Port)
	if network != "unix" {
		return nil, fmt.Errorf("%s is not the directory of a socket", config.Host)
	}
	u, err := url.Parse(database)
	if err != nil {
		return nil, err
	}
	c := &Counter{path: path, conns: map[net.Conn]bool{}}
	if c.dir, err = os.MkdirTemp("/tmp", "rt"); err != nil { // the path of a socket is short
		return nil, err
	}
	query := u.Query()
	query.Set("host", c.dir)
	u.RawQuery = query.Encode()
	c.address = u.String()
	if c.listener, err = net.Listen(network, filepath.Join(c.dir, ".s.PGSQL."+strconv.Itoa(int(config.Port)))); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	c.open.Go(c.accept)
	return c, nil
}

// Address is that of the database for those who are to be counted.
func (c *Counter) Address() string { return c.address }

// Dir is that of the socket; Close removes it.
func (c *Counter) Dir() string { return c.dir }

// Count is how many round trips have ended by now, and how many rows have come.
func (c *Counter) Count() (trips, rows int64) { return c.trips.Load(), c.rows.Load() }

// Close ends all connections.
func (c *Counter) Close() error {
	err := c.listener.Close()
	c.mu.Lock()
	for conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
	c.mu.Unlock()
	c.open.Wait()
	return errors.Join(err, os.RemoveAll(c.dir))
}

func (c *Counter) accept() {
	for {
		asks, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.open.Go(func() { c.carry(asks) })
	}
}

// carry has one connection ask PostgreSQL, until either end is gone.
func (c *Counter) carry(asks net.Conn) {
	defer asks.Close()
	answers, err := net.Dial("unix", c.path)
	if err != nil {
		return
	}
	defer answers.Close()
	if !c.keep(asks, answers) {
		return
	}
	var asking sync.WaitGroup
	asking.Go(func() {
		_, _ = io.Copy(answers, asks)
		_ = answers.Close()
	})
	_ = c.count(asks, answers)
	_ = asks.Close()
	asking.Wait()
	c.forget(asks, answers)
}

// keep takes connections down for Close; false where that has been.
func (c *Counter) keep(conns ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conns == nil {
		return false
	}
	for _, conn := range conns {
		c.conns[conn] = true
	}
	return true
}

func (c *Counter) forget(conns ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range conns {
		delete(c.conns, conn)
	}
}

// What PostgreSQL's messages begin with; their length follows.
const (
	dataRow       = 'D'
	copyData      = 'd'
	readyForQuery = 'Z'
	header        = 5
)

// count carries messages from PostgreSQL on. It counts one before it is carried on: who
// has an answer finds it counted.
func (c *Counter) count(to io.Writer, from io.Reader) error {
	in, out := bufio.NewReaderSize(from, 64<<10), bufio.NewWriterSize(to, 64<<10)
	for {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		head, err := in.Peek(header)
		if err != nil {
			return err
		}
		switch head[0] {
		case readyForQuery:
			c.trips.Add(1)
		case dataRow, copyData:
			c.rows.Add(1)
		}
		if _, err := io.CopyN(out, in, 1+int64(binary.BigEndian.Uint32(head[1:]))); err != nil {
			return err
		}
	}
}
