package postgresstore

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// quietTime is how long nothing may come to who waits for PostgreSQL before it is asked
// over another connection whether it is there, and how long that may take.
const quietTime = gone / 2

// errSilent ends what is waited for. It is a failure of the network.
var errSilent = &net.OpError{Op: "wait", Net: "postgres", Err: errors.New("PostgreSQL does not answer, on another connection either")}

// watched is a connection that waits for an answer as long as PostgreSQL is there, however
// long that takes, and no longer: what is between may take what is sent, say nothing, and
// keep the connection, such as a proxy that stands still.
type watched struct {
	net.Conn
	pulse *pulse

	mu    sync.Mutex // guards limit, and the setting of a deadline by it
	limit time.Time  // that the driver set; the zero time for none
}

func (c *watched) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = t
	return c.Conn.SetDeadline(t)
}

func (c *watched) Read(p []byte) (int, error) {
	return c.wait(c.Conn.SetReadDeadline, func() (int, error) { return c.Conn.Read(p) })
}

func (c *watched) Write(p []byte) (written int, err error) {
	for written < len(p) {
		n, err := c.wait(c.Conn.SetWriteDeadline, func() (int, error) { return c.Conn.Write(p[written:]) })
		written += n
		if err != nil && (n == 0 || !c.isQuiet(err)) {
			return written, err
		}
	}
	return written, nil
}

// wait takes a step that moves bytes until one does.
func (c *watched) wait(arm func(time.Time) error, step func() (int, error)) (int, error) {
	patience, asked := c.pulse.quiet, (*question)(nil)
	for {
		if err := c.arm(arm, patience); err != nil {
			return 0, err
		}
		n, err := step()
		if n > 0 || !c.isQuiet(err) {
			return n, err
		}
		if asked == nil {
			patience, asked = c.pulse.quiet/16, c.pulse.ask()
			continue
		}
		select {
		case <-asked.over:
			if asked.silent {
				return 0, errSilent
			}
			patience, asked = c.pulse.quiet, nil
		default:
		}
	}
}

// arm has a step end after a time, or where the driver says, whichever is first.
func (c *watched) arm(arm func(time.Time) error, patience time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := time.Now().Add(patience)
	if !c.limit.IsZero() && c.limit.Before(until) {
		until = c.limit
	}
	return arm(until)
}

// isQuiet tells that nothing moved from what the driver ends.
func (c *watched) isQuiet(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Is(err, os.ErrDeadlineExceeded) && (c.limit.IsZero() || time.Now().Before(c.limit))
}

// pulse asks whether PostgreSQL is there, once for all who wait.
type pulse struct {
	connect *pgx.ConnConfig // of a connection that is not watched
	quiet   time.Duration

	mu  sync.Mutex // guards now
	now *question  // that is asked; nil = none
}

// question is whether PostgreSQL is there.
type question struct {
	over   chan struct{}
	silent bool // to be read when it is over
}

func (p *pulse) ask() *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != nil {
		return p.now
	}
	q := &question{over: make(chan struct{})}
	p.now = q
	go func() {
		q.silent = p.isSilent()
		p.mu.Lock()
		p.now = nil
		p.mu.Unlock()
		close(q.over)
	}()
	return q
}

// isSilent reports that nothing at all came. A refusal is an answer: then the end of a
// connection is told by itself.
func (p *pulse) isSilent() bool {
	ctx, stop := context.WithTimeout(context.Background(), p.quiet)
	defer stop()
	c, err := pgx.ConnectConfig(ctx, p.connect)
	if err == nil {
		err = c.Ping(ctx)
		_ = c.Close(ctx)
	}
	network, isNetwork := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || isNetwork && network.Timeout()
}
