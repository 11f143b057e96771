package reading

import (
	"context"
)

// beginLocked waits until the size is known and an answer told how the service gives the content.
func (s *Source) beginLocked(ctx context.Context) error {
	var a *attempt
	for {
		switch {
		case s.err != nil:
			return s.err
		case s.begun && s.size >= 0:
			return nil
		case s.gone && s.stream == nil:
			return ErrSuperseded
		case a != nil && a.done && a.err != nil:
			return a.err
		}
		if a = s.firstLocked(); a == nil {
			s.pool.hungry[s] = true
		}
		if err := s.awaitLocked(ctx); err != nil {
			return err
		}
	}
}

// firstLocked asks for the first piece. The kernel reads on past what a program asks for, so a
// piece of the right size spares small files and `head` a stream. Nil: no stream may begin now.
func (s *Source) firstLocked() *attempt {
	switch f := s.singles[0]; {
	case s.stream != nil:
		return &s.stream.attempt
	case f != nil:
		return f
	case s.whole:
		return s.streamLocked(0, 0)
	}
	if a := s.streamLocked(0, blocksOf(firstPiece)); a != nil {
		return a
	}
	return s.singleLocked(0)
}
