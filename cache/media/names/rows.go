package names

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Sync returns when all earlier changes of the tree are durable.
func (s *Tree) Sync() error {
	s.Mu.RLock()
	upto := s.dirtied
	s.Mu.RUnlock()
	return s.Journal.WaitSynced(upto)
}

// UptoLocked is the number of the last change; Mu must be held.
func (s *Tree) UptoLocked() uint64 { return s.dirtied }

// WaitWritten returns when all earlier changes survive the end of the process; unlike Sync, it does
// not wait for the disk.
func (s *Tree) WaitWritten() error {
	s.Mu.RLock()
	upto := s.dirtied
	s.Mu.RUnlock()
	return s.Journal.WaitWritten(upto)
}

// PendingChanges returns all changes that are not written yet, for the journal table.
func (s *Tree) PendingChanges() (journal.Changes, uint64) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u := journal.Changes{Blocks: make(map[int64][]byte, len(s.dirtyBlocks)), Copies: s.copyChanges, Notes: s.noteChanges}
	changed := len(s.dirtyBlocks)+len(s.dirtyPDFs)+len(s.copyChanges)+len(s.noteChanges) > 0 || s.Closed
	if len(s.dirtyPDFs) > 0 {
		u.PDFs = make(map[inode.Ino]*journal.PDF, len(s.dirtyPDFs))
	}
	for ino, n := range s.dirtyPDFs {
		if u.PDFs[ino] = nil; n.Draft != 0 && (n.Parent != nil || n.Spooled()) {
			u.PDFs[ino] = journal.PDFOf(n)
		}
	}
	clear(s.dirtyPDFs)
	for number := range s.dirtyBlocks {
		s.block = s.BlockLocked(s.block[:0], number)
		u.Blocks[number] = append([]byte{}, s.block...) // never nil
	}
	if changed && !s.GetTree.Fetched.Equal(s.GetTree.Saved) { // an answer that nothing changed writes nothing
		s.GetTree.Saved, u.TreeRead = s.GetTree.Fetched, s.GetTree.Fetched
	}
	s.dirtyBlocks, s.copyChanges, s.noteChanges = make(map[int64]bool), nil, nil // a new map: the old one may have grown to hold a whole tree
	return u, s.dirtied
}

// BlockLocked appends one block to b; Mu must be held.
func (s *Tree) BlockLocked(b journal.Fields, number int64) journal.Fields {
	for ino := inode.Ino(number) * journal.BlockSize; journal.BlockOf(ino) == number; ino++ {
		if n := s.Nodes[ino]; n != nil && !n.InPapers(s.Papers) && (n.Parent != nil || n == s.Root || n.Spooled()) {
			b.Inode(n)
		}
	}
	return b
}

// SaveLocked marks n's row to be written soon; Mu must be held. The returned change number is
// for journal.WaitWritten and WaitSynced, to be called without Mu.
func (s *Tree) SaveLocked(n *tree.Node) uint64 {
	if n.InPapers(s.Papers) {
		return s.savePDFLocked(n)
	}
	s.dirtyBlocks[journal.BlockOf(n.Ino)] = true
	s.dirtied++
	s.Journal.Wake()
	return s.dirtied
}

// savePDFLocked is SaveLocked for what is below papers/. Only files with a spool have a row.
func (s *Tree) savePDFLocked(n *tree.Node) uint64 {
	if n.PDF != nil {
		known := s.KnownLocked()
		s.dirtyPDFs[n.Ino] = n
		s.dirtied++
		s.GetTree.Validator, s.GetTree.AsOf = known, s.dirtied
		s.Journal.Wake()
	}
	return s.dirtied
}

// LoadedPDF has the row of a PDF that was just loaded written with the next change.
func (s *Tree) LoadedPDF(n *tree.Node) { s.dirtyPDFs[n.Ino] = n }

// SaveAttrLocked is SaveLocked for a change that the reconciliation with the service's tree
// ignores.
func (s *Tree) SaveAttrLocked(n *tree.Node) uint64 {
	known := s.KnownLocked()
	s.SaveLocked(n)
	s.GetTree.Validator, s.GetTree.AsOf = known, s.dirtied
	return s.dirtied
}

// KnownLocked returns the validator of the service's tree if reconciling that tree again would
// change nothing. It is empty after any change of a node, even a local one; Mu must be held.
func (s *Tree) KnownLocked() remote.Validator {
	if s.GetTree.AsOf != s.dirtied {
		return ""
	}
	return s.GetTree.Validator
}
