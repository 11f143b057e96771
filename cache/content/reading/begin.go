package reading

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paperfs/remote"
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

// learnLocked records what an answer says about the content. Another version may have another size: its tag is judged first.
func (s *Source) learnLocked(r *remote.Received) error {
	if s.otherLocked(r) {
		s.gone = true
		return ErrSuperseded
	}
	if err := s.sizedLocked(r.Size); err != nil {
		return err
	}
	if s.tag == "" {
		s.tag = r.Tag
	}
	if !r.Ranges || r.Tag == "" || s.size < 0 {
		s.whole = true
	}
	s.begun = true
	s.wakeLocked()
	return nil
}

// sizedLocked records the size according to an answer, -1 if it does not say.
func (s *Source) sizedLocked(size int64) error {
	most := s.version.Most
	switch {
	case size < 0 || size == s.size:
		return nil
	case s.size >= 0:
		return s.damagedLocked(fmt.Sprintf("the service gives %d bytes instead of %d", size, s.size))
	case most >= 0 && size > most:
		return s.damagedLocked(fmt.Sprintf("the service gives %d bytes, more than %d", size, most))
	}
	s.size = size
	s.wakeLocked()
	s.hashLocked()
	return nil
}

func (s *Source) damagedLocked(detail string) error {
	s.failLocked(&DamagedError{Detail: detail})
	return s.err
}

// otherLocked reports whether the tag of an answer says that the service has another version, where its tags
// are SHA-256 sums.
func (s *Source) otherLocked(r *remote.Received) bool {
	sum := strings.Trim(r.Tag, `"`)
	return (s.pool.sumTags || r.Summed) && s.version.SHA256 != "" && len(sum) == len(s.version.SHA256) && sum != s.version.SHA256
}

// refusedLocked returns what the error of a download means for the reads that wait for it: nil
// if they find out by themselves.
func (s *Source) refusedLocked(err error) error {
	var refused *remote.Error
	if errors.Is(err, ErrSuperseded) || errors.As(err, &refused) && refused.Kind == remote.Superseded {
		s.gone = true
		return nil
	}
	return err
}
