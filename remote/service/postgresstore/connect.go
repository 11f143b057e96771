package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"
)

// How many connections a store has at most, of each kind. They are apart, so that
// who has one of a kind and waits for one of the next gets it in the end: a change
// may read, and a reader does not wait for changes. A job's lease waits for neither.
const (
	readers  = 12
	changers = 8
	claimers = 2
)

// gone is how long either end takes the other for there that does not answer. Then
// the database undoes the change and lets go of the tenant.
const gone = 30 * time.Second

// pingTime is how long a connection that was idle may take to show that it is there. Those
// that do not are passed over one by one.
const pingTime = 2 * time.Second

// parse returns how to connect, and what the connections ask whether PostgreSQL is there.
func parse(url string) (*pgxpool.Config, *pulse, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, fmt.Errorf("the address of the database cannot be read: %w", err)
	}
	config.PingTimeout = pingTime
	c := config.ConnConfig
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite // after a failover, the new primary
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	dialer := net.Dialer{Control: control, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: gone / 3, Interval: gone / 6, Count: 4}}
	c.DialFunc = dialer.DialContext
	for name, value := range map[string]string{
		"application_name":        "paperfs",
		"tcp_keepalives_idle":     "10",
		"tcp_keepalives_count":    "4",
		"tcp_user_timeout":        "30000",
		"tcp_keepalives_interval": "5",
		// Nothing but a query is waited for inside a transaction.
		"idle_in_transaction_session_timeout": "300000",
	} {
		if _, given := c.RuntimeParams[name]; !given {
			c.RuntimeParams[name] = value
		}
	}
	asked := &pulse{connect: c.Copy(), quiet: quietTime}
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &watched{Conn: conn, pulse: asked}, nil
	}
	return config, asked, nil
}

// control bounds how long what was sent may stay without an answer of the network.
func control(network, _ string, raw syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(gone.Milliseconds()))
	})
	return errors.Join(err, failed)
}

// check refuses a database that does not keep what the store promises.
func check(ctx context.Context, c *pgx.Conn) error {
	var version int
	var encoding, synchronous string
	err := c.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding'), current_setting('synchronous_commit')`).
		Scan(&version, &encoding, &synchronous)
	switch {
	case err != nil:
		return err
	case version < 150000:
		return fmt.Errorf("PostgreSQL 15 or newer is needed; this is %d", version/10000)
	case encoding != "UTF8":
		return fmt.Errorf("the database has the encoding %s; UTF8 is needed", encoding)
	case synchronous == "off":
		return errors.New("synchronous_commit is off: PostgreSQL would say that a change is kept before it is on the disk")
	}
	return nil
}

// checkSearch refuses a database whose index knows no letters but those of ASCII.
func checkSearch(ctx context.Context, c *pgx.Conn) error {
	var terms int
	if err := c.QueryRow(ctx, `SELECT cardinality(show_trgm('日本語'))`).Scan(&terms); err != nil {
		return err
	}
	if terms == 0 {
		return errors.New("the database does not treat characters outside ASCII as letters (lc_ctype is C): make it with another locale, such as C.UTF-8")
	}
	return nil
}
