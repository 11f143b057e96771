package postgresstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"paperfs/remote/service/store"
)

const (
	// mostTogether is how many changes may share a commit. Another process can make its
	// changes between two commits.
	mostTogether = 32
	// togetherTime is how old a transaction may be that a change joins: the first one
	// in it waits for the last.
	togetherTime = 20 * time.Millisecond
)

// batch is a transaction with one change of a tenant or several, of this process. A
// change that waits when another ends joins its transaction, with a savepoint of its
// own: it has the locks then, and shares the commit. It belongs to the change that has
// the turn.
type batch struct {
	store  *Store
	conn   *pgxpool.Conn
	tenant int64
	is     transaction
	began  time.Time
	count  int           // of changes
	done   chan struct{} // closed after its end
	err    error         // why nothing of it is kept, or may not be; read it after done
}

// answer is what a change is answered that came to failed, after the end.
func (b *batch) answer(failed error) error {
	if failed == nil || b.count > 1 && b.err != nil {
		// It may have read a change that is lost, so that even its failure counts
		// only after the commit. Nothing of it is kept for sure.
		if unsure, ok := errors.AsType[*store.UnsureError](b.err); ok && failed != nil {
			return unsure.Err
		}
		return b.err
	}
	return failed
}

// mayGoOn tells whether another change may join.
func (b *batch) mayGoOn() bool {
	return b.tenant != store.AllTenants && b.count < mostTogether && time.Since(b.began) < b.store.TogetherTime
}

var (
	setPoint     = statement{text: `savepoint change`}
	releasePoint = statement{text: `release change`}
	backToPoint  = statement{text: `rollback to change`}
)

// leave ends a change, which came to failed, and gives the turn on: to who joins, or
// after the end of the transaction. It returns what the change has come to.
func (b *batch) leave(t *tx, failed error) error {
	var next chan<- *batch
	if b.mayGoOn() {
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

// settle keeps or undoes a change, and commits unless another one joins. It reports
// whether the transaction is over.
func (b *batch) settle(t *tx, failed error, joined bool) (_ error, over bool) {
	refused := false // the commit, by what is sent with it
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
		// The driver prepares the refused statement anew. PostgreSQL accepts that only after the
		// rollback, so the two are not in one round trip.
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

// lost is what changes come to whose connection ended before the commit: never to what another
// one of them failed by itself.
func lost(t *tx, failed error) error {
	for _, err := range []error{translate(t.ctx, t.failed), failed} {
		if errors.Is(err, store.ErrAway) {
			return err
		}
	}
	return translate(t.ctx, pgconn.ErrConnClosed)
}

// rollback undoes all. Where that fails, the connection is not used again.
func (b *batch) rollback(ctx context.Context) {
	_, _ = b.conn.Exec(context.WithoutCancel(ctx), `rollback`)
}

func (b *batch) send(ctx context.Context, all ...statement) error {
	_, err := send(ctx, b.conn, all...)
	return translate(ctx, err)
}

// statement is one whose rows nobody asks for.
type statement struct {
	text string
	args []any
}

// send runs statements in one round trip. None is run after one that fails.
func send(ctx context.Context, c *pgxpool.Conn, all ...statement) (last pgconn.CommandTag, err error) {
	var together pgx.Batch
	for _, s := range all {
		together.Queue(s.text, carried(s.args)...)
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
