package reading

import (
	"context"
	"io"
)

// needLocked waits until block i is here and returns it, pinned. Nil without an error: there is a
// whole file now.
func (s *Source) needLocked(ctx context.Context, i int64) (*block, error) {
	var a *attempt
	for {
		if s.err != nil || s.kept {
			return nil, s.err
		}
		if b := s.blocks[i]; b != nil {
			s.pool.pinLocked(b)
			return b, nil
		}
		if a != nil && a.done && a.err != nil {
			return nil, a.err
		}
		var err error
		if a, err = s.attemptLocked(i); err != nil {
			return nil, err
		}
		if err := s.awaitLocked(ctx); err != nil {
			return nil, err
		}
	}
}

func (s *Source) metLocked(i int64) {
	if s.awaited[i]--; s.awaited[i] == 0 {
		delete(s.awaited, i)
		s.pool.feedLocked()
	}
}

// attemptLocked returns what brings block i, and begins it if necessary. Nil without an error:
// something else has to end before.
func (s *Source) attemptLocked(i int64) (*attempt, error) {
	if f := s.singles[i]; f != nil {
		return f, nil
	}
	st, near := s.stream, i >= s.next && i*blockSize <= s.next*blockSize+s.window.near()
	switch {
	case st != nil && (near || i >= s.next && (s.whole || s.gone)):
		s.window.follow((i + 1) * blockSize)
		s.pokeLocked()
		return &st.attempt, nil
	case s.gone:
		return nil, ErrSuperseded
	case s.whole && st != nil && s.neededLocked():
		return nil, nil // this block has passed; the stream begins again once it has brought what others wait for
	case s.whole:
		if a := s.streamLocked(0, 0); a != nil {
			return a, nil
		}
		s.pool.hungry[s] = true
		return nil, nil
	case near:
		s.window.follow((i + 1) * blockSize)
		if a := s.streamLocked(s.next, 0); a != nil {
			return a, nil
		}
	case s.judging == 0 && s.window.moves(i*blockSize):
		s.window.move(i * blockSize)
		if a := s.streamLocked(i, 0); a != nil {
			return a, nil
		}
	}
	return s.singleLocked(i), nil
}

// singleLocked begins to fetch block i by a range.
func (s *Source) singleLocked(i int64) *attempt {
	f := new(attempt)
	s.singles[i] = f
	s.pool.work.Go(func() {
		err := s.fetch(i)
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		f.done, f.err = true, s.refusedLocked(err)
		delete(s.singles, i)
		s.wakeLocked()
	})
	return f
}

func (s *Source) fetch(i int64) error {
	r, size, err := s.ask(s.pool.base, i*blockSize, (i+1)*blockSize)
	if err != nil {
		return err
	}
	defer r.Close()
	if size <= i*blockSize { // of an unknown size: a stream finds it out
		return nil
	}
	data, took := newBuffer()[:blockLength(i, size)], false
	defer func() {
		if !took {
			recycle(data)
		}
	}()
	if _, err := io.ReadFull(r, data); err != nil {
		return s.short(err)
	}
	took, err = s.arrive(s.pool.base, i, data)
	return err
}
