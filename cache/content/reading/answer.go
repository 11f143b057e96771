package reading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"paperfs/remote"
)

// ask asks for a part, and returns the size of all, too.
func (s *Source) ask(ctx context.Context, from, to int64) (*remote.Received, int64, error) {
	p := s.pool
	p.mu.Lock()
	part := remote.Part{From: from, To: to, Tag: s.tag}
	p.mu.Unlock()
	r, err := p.service.Download(ctx, s.version.Address, part)
	if err != nil {
		return nil, 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := s.learnLocked(r); err != nil {
		r.Close()
		return nil, 0, err
	}
	return r, s.size, nil
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

// short judges the end of an answer before all of its bytes.
func (s *Source) short(err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.damagedLocked("the service gives fewer bytes than it says")
}
