package media

import (
	"context"

	"paperfs/remote"
)

// This file holds the note that a rename, or a retry, leaves of its upload while
// that is under way: should the process end meanwhile, the place is one of an
// unknown outcome for the next run. Nothing else would tell it: the rows know of
// the new name only afterwards.

// noteChange is a note that comes, or goes where it is over.
type noteChange struct {
	at   servicePlace
	over bool
}

// uploadNoted is upload with a note that outlives the process before anything is
// sent. After a success the note is there until dropNoteLocked. The place is locked.
func (s *Store) uploadNoted(ctx context.Context, at target, content *outgoing) (up remote.Upload, err error) {
	if at, err = s.reach(ctx, at); err != nil {
		return up, err
	}
	here := place{at.dir.ino, fold(at.name)}
	if err = s.note(here, servicePlace{at.id, fold(at.name)}); err == nil {
		up, err = s.uploadTo(ctx, at, content)
	}
	if err != nil {
		s.mu.Lock()
		s.dropNoteLocked(here)
		s.mu.Unlock()
	}
	return up, err
}

// note notes an upload, unless its place is noted for other reasons.
func (s *Store) note(here place, at servicePlace) error {
	if s.unknown.has(at) {
		return nil
	}
	s.mu.Lock()
	s.notes[here] = at
	upto := s.changeNoteLocked(noteChange{at: at})
	s.mu.Unlock()
	return s.table.kept(upto)
}

// dropNoteLocked has the note of an upload removed with what is written next, if there
// is one, and if the outcome of the upload is not unknown after all; s.mu and the
// place must be held.
func (s *Store) dropNoteLocked(here place) {
	at, noted := s.notes[here]
	if !noted {
		return
	}
	delete(s.notes, here)
	if !s.unknown.has(at) {
		s.changeNoteLocked(noteChange{at: at, over: true})
	}
}

// changeNoteLocked has a change written, which the tree knows nothing of; s.mu must be
// held. The number is that of keepLocked.
func (s *Store) changeNoteLocked(c noteChange) uint64 {
	known := s.knownLocked()
	s.noteChanges = append(s.noteChanges, c)
	s.dirtied++
	s.tree.validator, s.tree.asOf = known, s.dirtied
	s.table.poke()
	return s.dirtied
}
