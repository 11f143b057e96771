package sqlitestore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"
)

// conn is a connection to the database with its prepared statements. Only one goroutine at a time
// may use it.
type conn struct {
	*sql.Conn
	// prepared does not grow without bound: the program uses a fixed set of statement texts.
	prepared map[string]*sql.Stmt
}

// statement prepares a statement on first use. For queries of several rows it is [conn.borrow].
//
// The caller runs the statement with an uncancelable context; statement itself checks ctx. For a
// cancelable context the driver starts a goroutine per statement, which costs more than reading a
// row.
func (c *conn) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s := c.prepared[text]; s != nil {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, text)
	if err == nil {
		c.prepared[text] = s
	}
	return s, err
}

func (c *conn) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.WithoutCancel(ctx), args...)
}

func (c *conn) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := c.statement(ctx, text)
	if err != nil {
		return c.Conn.QueryRowContext(ctx, text, args...) // fails again, and Scan returns the error
	}
	return s.QueryRowContext(context.WithoutCancel(ctx), args...)
}

// borrow prepares a statement for a query of several rows on first use. The connection does not
// have it until giveBack, so nobody runs it again while its rows are read.
func (c *conn) borrow(ctx context.Context, text string) (*sql.Stmt, error) {
	s, err := c.statement(ctx, text)
	delete(c.prepared, text)
	return s, err
}

func (c *conn) giveBack(text string, s *sql.Stmt) {
	if c.prepared[text] != nil {
		_ = s.Close() // a second one was prepared meanwhile
		return
	}
	c.prepared[text] = s
}

// finish closes the statements; it must be called before the connection is closed. Otherwise
// SQLite would keep the connection open and the log next to the database.
func (c *conn) finish() {
	for _, s := range c.prepared {
		_ = s.Close() // no statement is running
	}
	c.prepared = nil
}

// rollback ends a transaction. It fails if there is none.
func (c *conn) rollback() error {
	_, err := c.ExecContext(context.Background(), "ROLLBACK")
	return err
}

// pool holds connections with their prepared statements, and bounds them: each is megabytes, and is slow to open
// because it reads the whole schema. Who finds all of them taken waits for one.
//
// The pool of database/sql, with prepared statements through [sql.Tx.StmtContext], needs as many
// lines and was measured in its place (medians of 13 pairs): it takes twice the CPU time for a
// read of four rows and 1.4 times for a change. It starts a goroutine for each transaction and
// each query, and parses BEGIN and COMMIT each time.
type pool struct {
	db    *sql.DB
	taken chan struct{} // an element for each connection that is not idle

	mu   sync.Mutex
	idle []*conn
}

func newPool(db *sql.DB, most int) pool { return pool{db: db, taken: make(chan struct{}, most)} }

func (p *pool) take(ctx context.Context) (*conn, error) {
	select {
	case p.taken <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	if last := len(p.idle) - 1; last >= 0 {
		c := p.idle[last]
		p.idle = p.idle[:last]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.db.Conn(ctx)
	if err != nil {
		<-p.taken
		return nil, err
	}
	return &conn{c, map[string]*sql.Stmt{}}, nil
}

// put returns a connection to the pool. If failed is not nil, its transaction could not be ended,
// so put closes the connection.
func (p *pool) put(c *conn, failed error) {
	defer func() { <-p.taken }()
	p.mu.Lock()
	defer p.mu.Unlock()
	if failed == nil {
		p.idle = append(p.idle, c)
		return
	}
	c.finish()
	_ = c.Raw(func(any) error { return driver.ErrBadConn }) // closes it
	_ = c.Close()
}

func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.idle {
		c.finish()
		_ = c.Close() // to p.db
	}
	p.idle = nil
	return p.db.Close()
}
