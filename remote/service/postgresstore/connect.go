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

	"paperfs/remote/service/store"
)

// How many connections a store has at most, of each kind. The pools are separate to avoid
// deadlock: a change may also read, but a reader never waits for changes, and renewing a job's
// lease waits for neither.
const (
	readers  = store.Readers
	changers = 8
	claimers = 2
)

// peerTimeout is how long either end waits for an unresponsive peer. After that the database
// rolls back the change and releases the tenant's lock.
const peerTimeout = 30 * time.Second

// quietTime is how long a connection may wait without receiving anything before the prober checks
// over another connection whether PostgreSQL runs. The check may take as long.
const quietTime = peerTimeout / 2

// pingTime is how long an idle connection may take to prove that it still works. Those that do
// not are discarded one by one.
const pingTime = 2 * time.Second

// parse returns the pool configuration, and the prober that its connections share.
func parse(url string) (*pgxpool.Config, *prober, error) {
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
	dialer := net.Dialer{Control: control, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: peerTimeout / 3, Interval: peerTimeout / 6, Count: 4}}
	c.DialFunc = dialer.DialContext
	for name, value := range map[string]string{
		"application_name":        "paperfs",
		"tcp_keepalives_idle":     "10",
		"tcp_keepalives_count":    "4",
		"tcp_user_timeout":        "30000",
		"tcp_keepalives_interval": "5",
		// Inside a transaction a change waits only for queries.
		"idle_in_transaction_session_timeout": "300000",
	} {
		if _, given := c.RuntimeParams[name]; !given {
			c.RuntimeParams[name] = value
		}
	}
	probing := &prober{connect: c.Copy()}
	probing.quiet.Store(int64(quietTime))
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &probedConn{Conn: conn, prober: probing}, nil
	}
	return config, probing, nil
}

// control limits how long sent data may stay unacknowledged.
func control(network, _ string, raw syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(peerTimeout.Milliseconds()))
	})
	return errors.Join(err, failed)
}

// check rejects a database that cannot keep the promises of the store.
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
		return errors.New("synchronous_commit is off: PostgreSQL would report a change as committed before it is on the disk")
	}
	return nil
}

// checkSearch rejects a database whose trigram index ignores letters outside ASCII.
func checkSearch(ctx context.Context, c *pgx.Conn) error {
	var terms int
	if err := c.QueryRow(ctx, `SELECT cardinality(show_trgm('日本語'))`).Scan(&terms); err != nil {
		return err
	}
	if terms == 0 {
		return errors.New("the database does not treat characters outside ASCII as letters (lc_ctype is C): create it with another locale, such as C.UTF-8")
	}
	return nil
}
