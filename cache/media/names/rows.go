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
	upto := s.Dirtied
	s.Mu.RUnlock()
	return s.Journal.WaitSynced(upto)
}

// WaitWritten returns when all earlier changes survive the end of the process; unlike Sync, it does
// not wait for the disk.
func (s *Tree) WaitWritten() error {
	s.Mu.RLock()
	upto := s.Dirtied
	s.Mu.RUnlock()
	return s.Journal.WaitWritten(upto)
}

// PendingChanges returns all changes that are not written yet, for the journal table.
func (s *Tree) PendingChanges() (journal.Changes, uint64) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u := journal.Changes{Blocks: make(map[int64][]byte, len(s.DirtyBlocks)), Copies: s.copyChanges, Notes: s.noteChanges}
	changed := len(s.DirtyBlocks)+len(s.DirtyPDFs)+len(s.copyChanges)+len(s.noteChanges) > 0 || s.Closed
	if len(s.DirtyPDFs) > 0 {
		u.PDFs = make(map[inode.Ino]*journal.PDF, len(s.DirtyPDFs))
	}
	for ino, n := range s.DirtyPDFs {
		if u.PDFs[ino] = nil; n.Draft != 0 && (n.Parent != nil || n.Spooled()) {
			u.PDFs[ino] = journal.PDFOf(n)
		}
	}
	clear(s.DirtyPDFs)
	for number := range s.DirtyBlocks {
		s.block = s.BlockLocked(s.block[:0], number)
		u.Blocks[number] = append([]byte{}, s.block...) // never nil
	}
	if changed && !s.GetTree.Fetched.Equal(s.GetTree.Saved) { // an answer that nothing changed writes nothing
		s.GetTree.Saved, u.TreeRead = s.GetTree.Fetched, s.GetTree.Fetched
	}
	s.DirtyBlocks, s.copyChanges, s.noteChanges = make(map[int64]bool), nil, nil // a new map: the old one may have grown to hold a whole tree
	return u, s.Dirtied
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
	s.DirtyBlocks[journal.BlockOf(n.Ino)] = true
	s.Dirtied++
	s.Journal.Wake()
	return s.Dirtied
}

// savePDFLocked is SaveLocked for what is below papers/. Only files with a spool have a row.
func (s *Tree) savePDFLocked(n *tree.Node) uint64 {
	if n.PDF != nil {
		known := s.KnownLocked()
		s.DirtyPDFs[n.Ino] = n
		s.Dirtied++
		s.GetTree.Validator, s.GetTree.AsOf = known, s.Dirtied
		s.Journal.Wake()
	}
	return s.Dirtied
}

// SaveAttrLocked is SaveLocked for a change that the reconciliation with the service's tree
// ignores.
func (s *Tree) SaveAttrLocked(n *tree.Node) {
	known := s.KnownLocked()
	s.SaveLocked(n)
	s.GetTree.Validator, s.GetTree.AsOf = known, s.Dirtied
}

// KnownLocked returns the validator of the service's tree if reconciling that tree again would
// change nothing. It is empty after any change of a node, even a local one; Mu must be held.
func (s *Tree) KnownLocked() remote.Validator {
	if s.GetTree.AsOf != s.Dirtied {
		return ""
	}
	return s.GetTree.Validator
}
