package body

import (
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// This file implements changes that handles make to a file's local content.

// PreparedBodyLocked reports whether PrepareChange would return at once.
func (s *Bodies) PreparedBodyLocked(n *tree.Node) bool {
	b := n.Body()
	return b.Spool != nil || s.emptyBodyLocked(n) || b.Source != nil && b.Source.Ready()
}

// WritableSpoolBodyLocked returns a spool of n that is neither queued nor sealed nor being uploaded,
// creating one if needed. A new spool contains the first keep bytes of the present content, or all if
// there are fewer; what is not in a local file comes later.
func (s *Bodies) WritableSpoolBodyLocked(n *tree.Node, keep int64) (*spool.File, error) {
	b := n.Body()
	sent := n.PDF != nil && b.Spool != nil && b.Gen == b.Sent && b.Sum != "" // nobody else has it
	if b.Spool != nil && b.Spool.Frozen == 0 && b.Spool != b.Pending && !b.Spool.Sealed() && !sent {
		return b.Spool, nil
	}
	sp, err := s.newSpoolBodyLocked(n, keep)
	if err != nil {
		return nil, err
	}
	if s.names.RemovedHere(n) {
		sp.Disown()
	}
	before := b.Spool // it is still queued, or is dropped when it thaws, or below
	upto := s.DraftBodyLocked(n, sp)
	if before != nil || n.PDF != nil { // otherwise a kill could leave a row that names a dropped spool
		if err := s.names.Journal.WaitWritten(upto); err != nil {
			s.names.Mu.Lock()
			if b.Spool, n.Own().Draft = before, 0; before != nil {
				n.Own().Draft = before.Serial
			}
			s.names.Mu.Unlock()
			s.Spools.Drop(sp)
			return nil, err
		}
		switch {
		case sent && before.Frozen == 0:
			s.KeepSent(n, before, b.Sum)
		case !b.DropUnused(&s.Spools, before) && before != nil && before != b.Pending: // it is still being sent
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

// DraftBodyLocked makes sp the newest spool of n, with a change that writes its row; Body.Mu must be held.
func (s *Bodies) DraftBodyLocked(n *tree.Node, sp *spool.File) (upto uint64) {
	s.names.Mu.Lock()
	n.Body().Spool = sp
	if n.Lost == "" {
		n.Own().Draft = sp.Serial
	}
	upto = s.names.SaveAttrLocked(n)
	s.names.Mu.Unlock()
	return upto
}

// DraftEmptyBodyLocked is DraftBodyLocked with a new, empty spool.
func (s *Bodies) DraftEmptyBodyLocked(n *tree.Node) error {
	sp, err := s.Spools.Create()
	if err == nil {
		s.DraftBodyLocked(n, sp)
	}
	return err
}

// newSpoolBodyLocked is WritableSpoolBodyLocked for a new spool.
func (s *Bodies) newSpoolBodyLocked(n *tree.Node, keep int64) (*spool.File, error) {
	b := n.Body()
	switch {
	case keep == 0:
	case b.Spool != nil:
		return s.Spools.From(b.Spool.F, min(keep, b.Spool.Size))
	case b.Source != nil && b.Source.File() != nil:
		return s.Spools.From(b.Source.File(), min(keep, b.Source.Size()))
	case b.Source != nil && b.Source.Size() > 0:
		return s.Spools.Over(min(keep, b.Source.Size()))
	}
	return s.Spools.Create()
}

// NoteWriteBodyLocked updates n's attributes and state after a write.
func (s *Bodies) NoteWriteBodyLocked(n *tree.Node, size int64) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	n.Body().Gen++
	now := s.names.Now()
	own := n.Own()
	own.Size, own.Blank, own.Draft, n.Written = size, false, n.Body().Spool.Serial, true
	n.On(tree.Written)
	own.Writes++
	delete(s.names.Closing, n.Ino)
	n.Mtime, n.Ctime = now, now
	if n.Local() || n.Lost != "" {
		s.names.SaveLocked(n)
	}
}

// ShortenBodyLocked lowers the length in the row of a scratch file before the file shrinks:
// scratch that is shorter than its row says counts as damaged. If the disk has no room for the
// row, the file shrinks anyway, which frees space. Body.Mu must be held.
func (s *Bodies) ShortenBodyLocked(n *tree.Node, size int64) {
	s.names.Mu.Lock()
	if !n.Local() || n.Parent == nil || n.Size <= size {
		s.names.Mu.Unlock()
		return
	}
	n.Own().Size = size
	upto := s.names.SaveLocked(n)
	s.names.Mu.Unlock()
	if err := s.names.Journal.WaitWritten(upto); err != nil {
		s.o.Log.Warn("cannot record the new length of a truncated file; a kill moves it to failed/", "error", err)
	}
}

// HasLength reports whether size is already the length of n. Body.Mu must not be held.
func (s *Bodies) HasLength(n *tree.Node, size int64) bool {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	shown, known := n.ShownSize()
	return known && shown == size
}

// WholePDF reports whether n is a PDF that programs have neither emptied nor written since it was sent or queued.
func (s *Bodies) WholePDF(n *tree.Node) bool {
	return s.names.Is(func() bool {
		return n.IsPDF() && !n.Blank && (n.State() == tree.Clean && n.Pub.ID != 0 || n.State() == tree.Pending)
	})
}

// Emptied marks n as blank if a writer truncated it to 0 while it was already empty.
func (s *Bodies) Emptied(n *tree.Node, size int64) {
	if size > 0 {
		return
	}
	s.names.Mu.Lock()
	n.Own().Blank = true
	s.names.Mu.Unlock()
}

// IsBlank reports whether n is blank, so that the next write replaces all content.
func (s *Bodies) IsBlank(n *tree.Node) bool { return s.names.Is(func() bool { return n.Blank }) }
