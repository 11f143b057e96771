package enginetest

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

// Counter counts the traffic between PostgreSQL and its clients: how often they wait for an answer, and how many rows
// they receive. It is a proxy with a socket of its own, so it counts what is on the wire: statements that are sent
// together are one round trip.
type Counter struct {
	dir         string // of the counter's socket
	path        string // of PostgreSQL's socket
	address     string
	listener    net.Listener
	trips, rows atomic.Int64
	open        sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // guarded by mu; nil once it is closed
}

// NewCounter starts a counter for a database, whose address has the directory of a socket as its host.
func NewCounter(database string) (*Counter, error) {
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
	if c.dir, err = os.MkdirTemp("/tmp", "rt"); err != nil { // socket paths must be short
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

// Address returns the database's address through the counter.
func (c *Counter) Address() string { return c.address }

// Dir returns the directory of the counter's socket. Close removes it.
func (c *Counter) Dir() string { return c.dir }

// Count returns how many round trips have ended and how many rows were received so far.
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

// carry connects one client to PostgreSQL until either end closes.
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

// keep registers connections for Close. It returns false if the counter is already closed.
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

// The first bytes of PostgreSQL's messages; their length follows.
const (
	dataRow       = 'D'
	copyData      = 'd'
	readyForQuery = 'Z'
	header        = 5
)

// count forwards messages from PostgreSQL. It counts each before forwarding it, so that a client
// that has its answer finds it counted.
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
