package reading

import (
	"context"
	"os"
	"runtime"
)

// arrive stores block i. It reports whether it has kept data, a buffer, itself.
func (s *Source) arrive(ctx context.Context, i int64, data []byte) (took bool, err error) {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.dropped || s.err != nil {
		return false, s.err
	}
	for s.storing[i] { // a block that is written twice could be dropped in between, and be a hole
		if err := s.awaitLocked(ctx); err != nil {
			return false, err
		}
	}
	if !s.sums.same(i, data) || !s.piecesIn(i, data) {
		return false, s.changedLocked()
	}
	if s.blocks[i] != nil || s.kept {
		return false, nil
	}
	s.storing[i] = true
	defer func() {
		delete(s.storing, i)
		s.hashLocked()
		s.wakeLocked() // who waits for that may be all that comes: a stream that was stopped stores nothing
	}()
	return s.storeLocked(ctx, i, data)
}

// storeLocked gives block i to those that wait for it, and then writes it.
func (s *Source) storeLocked(ctx context.Context, i int64, data []byte) (took bool, err error) {
	p := s.pool
	inMemory, err := s.roomLocked(ctx, i)
	if err != nil {
		return false, err
	}
	if s.dropped {
		p.returnLocked(inMemory)
		return false, nil
	}
	b := &block{source: s, number: i, memory: inMemory, data: data}
	s.blocks[i] = b
	p.pinLocked(b)
	defer p.unpinLocked(b, false)
	s.wakeLocked()
	s.hashLocked()
	if !inMemory && s.writeLocked(i, data) != nil {
		s.unreadableLocked(b)
	}
	return true, nil
}

// changedLocked judges a block that came again and is different.
func (s *Source) changedLocked() error {
	if s.gone || s.hurried {
		s.gone = true
		return ErrSuperseded
	}
	return s.damagedLocked("the service gives other bytes than before")
}

// writeLocked writes block i to the file, which it creates for the first one.
func (s *Source) writeLocked(i int64, data []byte) error {
	f := s.disk
	s.pool.mu.Unlock()
	defer s.pool.mu.Lock()
	runtime.Gosched() // those that wait for the block go first
	if f == nil {
		var err error
		if f, err = s.create(); err != nil {
			return err
		}
	}
	_, err := f.WriteAt(data, i*blockSize)
	return err
}

// create creates the file, unless another call has.
func (s *Source) create() (*os.File, error) {
	s.creating.Lock()
	defer s.creating.Unlock()
	s.pool.mu.Lock()
	f := s.disk
	s.pool.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := s.pool.keeper.Create()
	if err != nil {
		return nil, err
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if s.dropped {
		discard(f)
		return nil, os.ErrClosed
	}
	s.disk = f
	return f, nil
}
