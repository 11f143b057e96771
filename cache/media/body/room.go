package body

import (
	"cmp"
	"errors"
	"io/fs"
	"syscall"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
)

// evictable is what can be fetched again: cached content, and what is here of content that is read.
type evictable struct {
	*contentcache.Cache
	reads *reading.Pool
}

// Evict implements disk.Cache.
func (e evictable) Evict(n int64) {
	before := e.Size()
	e.Cache.Evict(n)
	if n -= before - e.Size(); n > 0 {
		e.reads.Evict(n)
	}
}

// This file handles a state directory, or a part of it, that another program removes or replaces under the mount, and a disk that
// fails. Nothing is healed: programs can read on, all changes fail, nothing is sent, and content stays where it is, open or not,
// until Rescue.

// Lost reports whether the state is not whole any more, so that nothing is sent.
func (s *Bodies) Lost() bool { return s.o.State.Whole() != nil }

// IsLost reports whether the state was found lost.
func (s *Bodies) IsLost() bool { return s.o.State.Lost() != nil }

// OrLost returns the error of a lost state, if that is the reason for err.
func (s *Bodies) OrLost(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(s.o.State.Whole(), err)
}

// OpenSpool opens a spool; the Body that owns it must be locked. One whose file is not there any more was removed by another
// program.
func (s *Bodies) OpenSpool(sp *spool.File) error {
	err := sp.Open()
	if errors.Is(err, fs.ErrNotExist) || err == nil && !sp.Named() {
		return s.o.State.Lose(sp.Path)
	}
	return err
}

// EnterFor is enter for a change of names. It fails if the rows of the change could not be stored, with Full if the disk has
// no room for them.
func (s *Bodies) EnterFor(room int64) error {
	full := func(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
	err := s.names.Journal.Ready(room)
	for i := 0; full(err) && i < len(s.Room.Caches); i++ {
		s.Room.Caches[i].Evict(journal.BallastSize)
		err = s.names.Journal.Ready(room)
	}
	if full(err) {
		return &refusal.Error{Kind: refusal.Full, Detail: "the disk that holds " + s.Room.Dir + " is full; nothing was changed"}
	}
	if err != nil {
		return err
	}
	return s.names.Enter()
}
