package media

import (
	"paperfs/cache/media/journal"
	"paperfs/cache/media/namelock"
)

// This file is about the note that an upload leaves before anything is sent: should
// the process end meanwhile, its name is one of an unknown outcome for the next run.
// A close that waits for its upload needs none: its spool is left, and tells it.

// note notes an upload, unless its name is noted for other reasons. It costs no
// sync: only a kill is what it guards against.
func (s *Store) note(here namelock.Name, at journal.ServiceName) error {
	if s.unknown.Has(at) {
		return nil
	}
	s.mu.Lock()
	s.notes[here] = at
	upto := s.changeNoteLocked(journal.NoteChange{At: at})
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// dropNoteLocked has the note of an upload removed with what is written next, if there
// is one, and if the outcome of the upload is not unknown after all; s.mu and the
// name must be locked.
func (s *Store) dropNoteLocked(here namelock.Name) {
	at, noted := s.notes[here]
	if !noted {
		return
	}
	delete(s.notes, here)
	if !s.unknown.Has(at) {
		s.changeNoteLocked(journal.NoteChange{At: at, Over: true})
	}
}

// changeNoteLocked has a change written, which the tree knows nothing of; s.mu must be
// held. The number is that of keepLocked.
func (s *Store) changeNoteLocked(c journal.NoteChange) uint64 {
	known := s.knownLocked()
	s.noteChanges = append(s.noteChanges, c)
	s.dirtied++
	s.tree.validator, s.tree.asOf = known, s.dirtied
	s.journal.Poke()
	return s.dirtied
}
