package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// maxBatch is the most changes that share a commit. Between two commits other processes can make
// their changes.
const maxBatch = 32

// changes runs changes one after another. When a change ends, the next one in line joins its
// transaction and shares the commit, because the commit's sync takes longer than most changes.
// Each change returns after the commit.
type changes struct {
	pool    pool // of one connection
	waiting atomic.Int64

	mu      sync.Mutex // held by the change that has its turn
	current *batch     // a transaction that the next change is to join; nil = none
}

// batch is a transaction with one or more changes.
type batch struct {
	c     *conn
	count int
	done  chan struct{} // closed after the commit
	err   error         // of the commit; read it after done
}

// run runs f as one change. ctx does not end it: that would end the other changes of the
// transaction, too.
func (s *changes) run(ctx context.Context, f func(context.Context, *conn) error) error {
	ctx = context.WithoutCancel(ctx)
	s.waiting.Add(1)
	s.mu.Lock()
	b, failed, err := s.turn(ctx, f)
	if err != nil {
		return fmt.Errorf("begin to change: %w", err)
	}
	// f may have read a change that is not committed yet, so even its failure
	// counts only after the commit.
	<-b.done
	if failed != nil && (b.err == nil || b.count == 1) {
		return failed
	}
	return b.err
}

// turn runs one change, and commits if no other change waits to join. A panic of f undoes only
// this change. The caller holds mu; turn unlocks it.
func (s *changes) turn(ctx context.Context, f func(context.Context, *conn) error) (b *batch, failed, err error) {
	defer s.mu.Unlock()
	s.waiting.Add(-1)
	if s.current == nil {
		if s.current, err = s.begin(ctx); err != nil {
			return nil, nil, err
		}
	}
	b = s.current
	kept := false
	defer func() {
		undone := b.leave(ctx, kept)
		if undone != nil || b.count == maxBatch || s.waiting.Load() == 0 {
			s.current = nil
			if undone != nil {
				undone = errors.Join(undone, failed)
			}
			s.end(ctx, b, undone)
		}
	}()
	if err := b.enter(ctx); err != nil {
		return b, err, nil
	}
	failed = f(ctx, b.c)
	kept = failed == nil
	return b, failed, nil
}

func (s *changes) begin(ctx context.Context) (*batch, error) {
	c, err := s.pool.take(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		s.pool.put(c, c.rollback())
		return nil, err
	}
	return &batch{c: c, done: make(chan struct{})}, nil
}

// enter and leave surround each change of a batch, so that it can be undone alone. The first
// change needs no savepoint.
func (b *batch) enter(ctx context.Context) error {
	if b.count++; b.count == 1 {
		return nil
	}
	_, err := b.c.ExecContext(ctx, "SAVEPOINT change")
	return err
}

var errUndone = errors.New("the transaction was undone")

// leave returns an error if the whole transaction must be undone: SQLite may already have done
// so, for example on a full disk.
func (b *batch) leave(ctx context.Context, kept bool) error {
	if b.count == 1 {
		if !kept {
			return errUndone
		}
		return nil
	}
	if !kept {
		if _, err := b.c.ExecContext(ctx, "ROLLBACK TO change"); err != nil {
			return fmt.Errorf("%w: %w", errUndone, err)
		}
	}
	_, err := b.c.ExecContext(ctx, "RELEASE change")
	return err
}

// end commits. If lost is not nil, a change is already lost, and end undoes the transaction.
func (s *changes) end(ctx context.Context, b *batch, lost error) {
	b.err = lost
	if lost == nil {
		_, b.err = b.c.ExecContext(ctx, "COMMIT")
	}
	var failed error
	if b.err != nil {
		failed = b.c.rollback()
		b.err = fmt.Errorf("commit: %w", translate(b.err))
	}
	s.pool.put(b.c, failed)
	close(b.done)
}
