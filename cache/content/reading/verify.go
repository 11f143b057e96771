package reading

import (
	"context"
	"os"
)

// Load waits until all of the content has come and is right. File returns it then, if there was
// room for it.
func (s *Source) Load(ctx context.Context) error {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if err := s.beginLocked(ctx); err != nil {
		return err
	}
	if err := s.judgedLocked(ctx); err != nil {
		return err
	}
	for s.keeping {
		if err := s.awaitLocked(ctx); err != nil {
			return err
		}
	}
	return s.err
}

// Find looks whether the Keeper has all of the content, which is verified, by now.
func (s *Source) Find() bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if s.kept || !s.verified || s.dropped {
		return s.kept
	}
	s.pool.mu.Unlock()
	f, unpin, err := s.pool.keeper.Find(s.sum)
	s.pool.mu.Lock()
	if err != nil {
		return false
	}
	for _, b := range s.blocks {
		s.pool.loseLocked(b)
	}
	if s.disk != nil {
		discard(s.disk)
	}
	s.disk, s.unpin, s.kept, s.begun = f, unpin, true, true
	s.wakeLocked()
	return true
}

// File returns the file that has all of the content, which is right, open as long as the source is.
// It returns nil if no file has all of it.
func (s *Source) File() *os.File {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if !s.kept || !s.verified {
		return nil
	}
	return s.disk
}

// judgedLocked waits until all of the content has come and is right.
func (s *Source) judgedLocked(ctx context.Context) error {
	s.judging++
	defer func() { s.judging-- }()
	var a *attempt
	for !s.verified {
		if s.err != nil {
			return s.err
		}
		if a != nil && a.done && a.err != nil {
			return a.err
		}
		var err error
		if a, err = s.bringLocked(); err != nil {
			return err
		}
		if err := s.awaitLocked(ctx); err != nil {
			return err
		}
	}
	return s.err
}

// bringLocked lets the stream bring the block that the hash lacks.
func (s *Source) bringLocked() (*attempt, error) {
	if s.hashLocked(); s.hashing || s.hashed == blocksOf(s.size) {
		return nil, nil
	}
	i, st := s.hashed, s.stream
	switch {
	case st != nil && s.next <= i && (st.to == 0 || i < st.to):
		s.pokeLocked()
		return &st.attempt, nil
	case s.gone:
		return nil, ErrSuperseded
	case s.whole && st != nil && s.neededLocked():
		return nil, nil
	case s.whole:
		i = 0
	}
	a := s.streamLocked(i, 0)
	if a == nil {
		s.pool.hungry[s] = true
	}
	return a, nil
}

// giveLocked records that block i is given out. No reader has all blocks before the whole is
// right: who would get the last one waits.
func (s *Source) giveLocked(ctx context.Context, i int64) error {
	if s.verified || s.given.has(i) {
		return s.err
	}
	if s.version.SHA256 != "" && s.given.count+1 == blocksOf(s.size) {
		if err := s.judgedLocked(ctx); err != nil {
			return err
		}
	}
	s.given.add(i)
	s.hashLocked()
	return nil
}

// emptyLocked judges content without bytes.
func (s *Source) emptyLocked(ctx context.Context) error {
	if s.version.SHA256 == "" {
		return s.err
	}
	return s.judgedLocked(ctx)
}
