package postgresstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"paperfs/remote/service/store"
)

const (
	// maxBatch is the most changes that share a commit. Between two commits other processes get
	// the tenant's lock.
	maxBatch = 32
	// batchWindow is the greatest age of a transaction that a change may join: the first change
	// in it waits for the last.
	batchWindow = 20 * time.Millisecond
)

// batch is a transaction with one or more changes of a tenant, all of this process. When a change
// ends, the next one in line joins its transaction with a savepoint: it inherits the locks and
// shares the commit. Only the change that has the turn may use the batch.
type batch struct {
	store  *Store
	conn   *pgxpool.Conn
	tenant int64
	xact   transaction
	began  time.Time
	count  int           // of changes
	done   chan struct{} // closed when the transaction has ended
	err    error         // why the transaction is not, or may not be, committed; read it after done
}

// result returns what Write returns for a change that ended with failed, after the transaction
// has ended.
func (b *batch) result(failed error) error {
	if failed == nil || b.count > 1 && b.err != nil {
		// The change may have read a change that is now lost, so even its failure counts only
		// after the commit. A failed change is certainly undone, so it is not unsure.
		if unsure, ok := errors.AsType[*store.UnsureError](b.err); ok && failed != nil {
			return unsure.Err
		}
		return b.err
	}
	return failed
}

// mayGrow reports whether another change may join.
func (b *batch) mayGrow() bool {
	return b.tenant != store.AllTenants && b.count < maxBatch && time.Since(b.began) < b.store.BatchWindow
}

var (
	setPoint     = statement{text: `savepoint change`}
	releasePoint = statement{text: `release change`}
	backToPoint  = statement{text: `rollback to change`}
)

// leave ends a change, where failed is its error so far, and passes on the turn: to the change
// that joins, or after the end of the transaction. It returns the change's result.
func (b *batch) leave(t *tx, failed error) error {
	var next chan<- *batch
	if b.mayGrow() {
		next = b.store.turns.next(b.tenant)
	}
	failed, over := b.settle(t, failed, next != nil)
	if !over {
		next <- b
		return failed
	}
	b.conn.Release()
	close(b.done)
	if next != nil {
		next <- nil
	} else {
		b.store.turns.leave(b.tenant)
	}
	return failed
}

// settle keeps or undoes a change, and commits unless another change joins. over reports whether
// the transaction has ended.
func (b *batch) settle(t *tx, failed error, joined bool) (_ error, over bool) {
	refused := false // a statement sent along with the commit failed
	if failed == nil {
		last := t.ending()
		switch {
		case !joined:
			over, b.err = b.commit(t.ctx, last...)
			if over {
				return nil, true
			}
			failed, b.err, refused = b.err, nil, true
		case b.count > 1:
			failed = b.send(t.ctx, append(last, releasePoint, setPoint)...)
		default:
			failed = b.send(t.ctx, append(last, setPoint)...)
		}
		if failed == nil {
			return nil, false
		}
	}
	switch {
	case b.conn.Conn().IsClosed():
		b.err = lost(t, failed)
		return failed, true
	case b.count == 1:
		b.rollback(t.ctx)
		b.err = failed
		return failed, true
	case joined:
		b.err = b.send(t.ctx, backToPoint)
	case refused:
		// The driver prepares the refused statement again, which PostgreSQL allows only after the
		// rollback. So rollback and commit need two round trips.
		if b.err = b.send(t.ctx, backToPoint); b.err == nil {
			over, b.err = b.commit(t.ctx)
		}
	default:
		over, b.err = b.commit(t.ctx, backToPoint)
	}
	if !over && b.err == nil {
		return failed, false
	}
	if !over {
		b.rollback(t.ctx)
	}
	return failed, true
}

// commit sends some last statements and the commit in one round trip. If PostgreSQL refuses one
// of the statements, the transaction has not ended and over is false. Otherwise a nil error means
// that the change is on the disk. If the connection ends at that moment, commit looks up the
// outcome over another connection.
func (b *batch) commit(ctx context.Context, last ...statement) (over bool, err error) {
	tag, err := send(ctx, b.conn, append(last, statement{text: `commit`})...)
	if err == nil && tag.String() == "ROLLBACK" {
		return true, fmt.Errorf("commit: %w", pgx.ErrTxCommitRollback)
	}
	if err == nil {
		return true, nil
	}
	c := b.conn.Conn()
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !c.IsClosed() {
		if c.PgConn().TxStatus() != 'I' {
			return false, translate(ctx, err)
		}
		return true, fmt.Errorf("commit: %w", translate(ctx, err))
	}
	kept, unknown := b.store.outcome(ctx, b.xact)
	switch {
	case unknown != nil:
		return true, &store.UnsureError{Err: fmt.Errorf("commit: %w; the outcome of the change is unknown: %v", translate(ctx, err), unknown)}
	case kept:
		return true, nil
	}
	return true, fmt.Errorf("commit: %w; the change was not committed", translate(ctx, err))
}

// lost returns the error of the changes whose connection ended before the commit. It is never the
// error that another of them failed with by itself.
func lost(t *tx, failed error) error {
	for _, err := range []error{translate(t.ctx, t.failed), failed} {
		if errors.Is(err, store.ErrAway) {
			return err
		}
	}
	return translate(t.ctx, pgconn.ErrConnClosed)
}

// rollback undoes the whole transaction. If it fails, the pool discards the connection.
func (b *batch) rollback(ctx context.Context) {
	_, _ = b.conn.Exec(context.WithoutCancel(ctx), `rollback`)
}

func (b *batch) send(ctx context.Context, all ...statement) error {
	_, err := send(ctx, b.conn, all...)
	return translate(ctx, err)
}

// statement is a statement whose rows are not read.
type statement struct {
	text string
	args []any
}

// send runs statements in one round trip. After one fails, none is run.
func send(ctx context.Context, c *pgxpool.Conn, all ...statement) (last pgconn.CommandTag, err error) {
	var together pgx.Batch
	for _, s := range all {
		together.Queue(s.text, sanitize(s.args)...)
	}
	results := c.SendBatch(ctx, &together)
	for range all {
		if last, err = results.Exec(); err != nil {
			break
		}
	}
	if failed := results.Close(); err == nil {
		err = failed
	}
	return last, err
}
