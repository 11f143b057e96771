package media

import (
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// This file implements changes that handles make to a file's local content.

// preparedBodyLocked reports whether prepareChange would return at once.
func (s *Store) preparedBodyLocked(n *tree.Node) bool {
	b := n.Body()
	return b.Spool != nil || s.emptyBodyLocked(n) || b.Source != nil && b.Source.Ready()
}

// emptyBodyLocked reports whether n, which has no spool, has no content either.
func (s *Store) emptyBodyLocked(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Blank || n.Body().Source == nil && n.Pub.ID == 0 || n.Pub.Size == 0
}

// writableSpoolBodyLocked returns a spool of n that is neither queued nor sealed nor being uploaded,
// creating one if needed. A new spool contains the first keep bytes of the present content, or all if
// there are fewer; what is not in a local file comes later.
func (s *Store) writableSpoolBodyLocked(n *tree.Node, keep int64) (*spool.File, error) {
	b := n.Body()
	sent := n.PDF != nil && b.Spool != nil && b.Gen == b.Sent && b.Sum != "" // nobody else has it
	if b.Spool != nil && b.Spool.Frozen == 0 && b.Spool != b.Pending && !b.Spool.Sealed() && !sent {
		return b.Spool, nil
	}
	sp, err := s.newSpoolBodyLocked(n, keep)
	if err != nil {
		return nil, err
	}
	if s.orphaned(n) {
		sp.Disown()
	}
	before := b.Spool // it is still queued, or is dropped when it thaws, or below
	upto := s.draftBodyLocked(n, sp)
	if before != nil || n.PDF != nil { // otherwise a kill could leave a row that names a dropped spool
		if err := s.journal.WaitWritten(upto); err != nil {
			s.mu.Lock()
			if b.Spool, n.Own().Draft = before, 0; before != nil {
				n.Own().Draft = before.Serial
			}
			s.mu.Unlock()
			s.spools.Drop(sp)
			return nil, err
		}
		switch {
		case sent && before.Frozen == 0:
			s.keepSent(n, before, b.Sum)
		case !b.DropUnused(&s.spools, before) && before != nil && before != b.Pending: // it is still being sent
			before.Disown()
		}
	}
	if sp.Lack != nil {
		s.fillBodyLocked(n)
	} else {
		b.CloseSource()
	}
	return sp, nil
}

// draftBodyLocked makes sp the newest spool of n, with a change that writes its row; Body.Mu must be held.
func (s *Store) draftBodyLocked(n *tree.Node, sp *spool.File) (upto uint64) {
	s.mu.Lock()
	n.Body().Spool = sp
	if n.Lost == "" {
		n.Own().Draft = sp.Serial
	}
	s.saveAttrLocked(n)
	upto = s.dirtied
	s.mu.Unlock()
	return upto
}

// draftEmptyBodyLocked is draftBodyLocked with a new, empty spool.
func (s *Store) draftEmptyBodyLocked(n *tree.Node) error {
	sp, err := s.spools.Create()
	if err == nil {
		s.draftBodyLocked(n, sp)
	}
	return err
}

// newSpoolBodyLocked is writableSpoolBodyLocked for a new spool.
func (s *Store) newSpoolBodyLocked(n *tree.Node, keep int64) (*spool.File, error) {
	b := n.Body()
	switch {
	case keep == 0:
	case b.Spool != nil:
		return s.spools.From(b.Spool.F, min(keep, b.Spool.Size))
	case b.Source != nil && b.Source.File() != nil:
		return s.spools.From(b.Source.File(), min(keep, b.Source.Size()))
	case b.Source != nil && b.Source.Size() > 0:
		return s.spools.Over(min(keep, b.Source.Size()))
	}
	return s.spools.Create()
}

// noteWriteBodyLocked updates n's attributes and state after a write.
func (s *Store) noteWriteBodyLocked(n *tree.Node, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Body().Gen++
	now := s.now()
	own := n.Own()
	own.Size, own.Blank, own.Draft, n.Written = size, false, n.Body().Spool.Serial, true
	n.On(tree.Written)
	own.Writes++
	delete(s.closing, n.Ino)
	n.Mtime, n.Ctime = now, now
	if n.Local() || n.Lost != "" {
		s.saveLocked(n)
	}
}

// hasLength reports whether size is already the length of n. Body.Mu must not be held.
func (s *Store) hasLength(n *tree.Node, size int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	shown, known := n.ShownSize()
	return known && shown == size
}

// wholePDF reports whether n is a PDF that programs have neither emptied nor written since it was sent or queued.
func (s *Store) wholePDF(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.IsPDF() && !n.Blank && (n.State() == tree.Clean && n.Pub.ID != 0 || n.State() == tree.Pending)
}

// emptied marks n as blank if a writer truncated it to 0 while it was already empty.
func (s *Store) emptied(n *tree.Node, size int64) {
	if size > 0 {
		return
	}
	s.mu.Lock()
	n.Own().Blank = true
	s.mu.Unlock()
}

// blank reports whether n is blank, so that the next write replaces all content.
func (s *Store) blank(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Blank
}

// neverSent reports whether n's content is never sent, because n is scratch or has lost its name.
func (s *Store) neverSent(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Local() || n.Parent == nil
}

// lostWrites returns why content of n is not published: its name has let go of it.
func (s *Store) lostWrites(n *tree.Node) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Lost == "" || !n.Dirty() || n.Why.Reason == errEmptyPDF {
		return nil
	}
	return n.Why.Reason
}

// orphaned reports whether n's last name was removed locally, so that its content ends with its
// last use.
func (s *Store) orphaned(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Parent == nil && n.Lost == ""
}

// shortenBodyLocked lowers the length in the row of a scratch file before the file shrinks:
// scratch that is shorter than its row says counts as damaged. If the disk has no room for the
// row, the file shrinks anyway, which frees space. Body.Mu must be held.
func (s *Store) shortenBodyLocked(n *tree.Node, size int64) {
	s.mu.Lock()
	if !n.Local() || n.Parent == nil || n.Size <= size {
		s.mu.Unlock()
		return
	}
	n.Own().Size = size
	upto := s.saveLocked(n)
	s.mu.Unlock()
	if err := s.journal.WaitWritten(upto); err != nil {
		s.o.Log.Warn("cannot record the new length of a truncated file; a kill moves it to failed/", "error", err)
	}
}
