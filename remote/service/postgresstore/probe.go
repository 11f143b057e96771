package postgresstore

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// errSilent ends the wait. It counts as a network failure.
var errSilent = &net.OpError{Op: "wait", Net: "postgres", Err: errors.New("PostgreSQL does not answer, on another connection either")}

// probedConn is a connection that waits for an answer as long as PostgreSQL runs, however long
// that takes, and no longer. Something in between, such as a hung proxy, may accept data, stay
// silent and keep the connection open.
type probedConn struct {
	net.Conn
	prober *prober

	mu    sync.Mutex // guards limit, and setting a deadline from it
	limit time.Time  // the driver's deadline; the zero time for none
}

func (c *probedConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = t
	return c.Conn.SetDeadline(t)
}

func (c *probedConn) Read(p []byte) (int, error) {
	return c.wait(c.Conn.SetReadDeadline, func() (int, error) { return c.Conn.Read(p) })
}

func (c *probedConn) Write(p []byte) (written int, err error) {
	for written < len(p) {
		n, err := c.wait(c.Conn.SetWriteDeadline, func() (int, error) { return c.Conn.Write(p[written:]) })
		written += n
		if err != nil && (n == 0 || !c.isQuiet(err)) {
			return written, err
		}
	}
	return written, nil
}

// wait repeats a step until it moves bytes or fails.
func (c *probedConn) wait(arm func(time.Time) error, step func() (int, error)) (int, error) {
	patience, running := time.Duration(c.prober.quiet.Load()), (*probe)(nil)
	for {
		if err := c.arm(arm, patience); err != nil {
			return 0, err
		}
		n, err := step()
		if n > 0 || !c.isQuiet(err) {
			return n, err
		}
		if running == nil {
			patience, running = time.Duration(c.prober.quiet.Load())/16, c.prober.start()
			continue
		}
		select {
		case <-running.done:
			if running.silent {
				return 0, errSilent
			}
			patience, running = time.Duration(c.prober.quiet.Load()), nil
		default:
		}
	}
}

// arm limits the next step to patience or the driver's deadline, whichever is earlier.
func (c *probedConn) arm(arm func(time.Time) error, patience time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := time.Now().Add(patience)
	if !c.limit.IsZero() && c.limit.Before(until) {
		until = c.limit
	}
	return arm(until)
}

// isQuiet reports whether a step ended because nothing moved, not because of the driver's
// deadline.
func (c *probedConn) isQuiet(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Is(err, os.ErrDeadlineExceeded) && (c.limit.IsZero() || time.Now().Before(c.limit))
}

// prober checks whether PostgreSQL runs, with one check for all waiting connections.
type prober struct {
	connect *pgx.ConnConfig // for a connection that is not probed
	quiet   atomic.Int64    // a time.Duration, since the driver reads in the background

	mu      sync.Mutex // guards current
	current *probe     // the check that is running; nil = none
}

// probe is a check whether PostgreSQL runs.
type probe struct {
	done   chan struct{}
	silent bool // valid once done is closed
}

func (p *prober) start() *probe {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != nil {
		return p.current
	}
	q := &probe{done: make(chan struct{})}
	p.current = q
	go func() {
		q.silent = p.isSilent()
		p.mu.Lock()
		p.current = nil
		p.mu.Unlock()
		close(q.done)
	}()
	return q
}

// isSilent reports whether nothing at all came back. A refusal is an answer: then the waiting
// connection will end by itself.
func (p *prober) isSilent() bool {
	ctx, stop := context.WithTimeout(context.Background(), time.Duration(p.quiet.Load()))
	defer stop()
	c, err := pgx.ConnectConfig(ctx, p.connect)
	if err == nil {
		err = c.Ping(ctx)
		_ = c.Close(ctx)
	}
	network, isNetwork := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || isNetwork && network.Timeout()
}
