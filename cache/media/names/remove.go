package names

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

// A removed or replaced file stays usable: open handles can read and write it, and programs
// that looked it up before can open it. Its inode stays as long as the kernel knows it. The
// same holds for directories, whose attributes remain available to processes with such a
// working directory. The file's spool is renamed so that a crash does not restore it.

// Known records that the kernel knows an inode, until Forgotten is called.
func (s *Tree) Known(ino inode.Ino) {
	s.Mu.RLock()
	n := s.Nodes[ino]
	done := n == nil || n.Known
	s.Mu.RUnlock()
	if done {
		return
	}
	s.Mu.Lock()
	n.Known = true
	s.Mu.Unlock()
}

// RemoveLocked removes one of n's names on behalf of a local caller; Mu must be held. The
// caller must call DropRemoved after unlocking it.
func (s *Tree) RemoveLocked(n *tree.Node, at tree.Link) {
	at.Dir.Unsure = at.Dir.Unsure || n.IsPDF() && n.PDF.MayBeThere
	if len(n.Also) > 0 {
		n.Unname(at)
		now := s.Now()
		at.Dir.Mtime, at.Dir.Ctime, n.Ctime = now, now, now
		s.SaveLocked(at.Dir)
		s.SaveLocked(n)
		return
	}
	s.UnlinkLocked(n)
	if n.Known {
		s.Nodes[n.Ino] = n
	}
}

// DropSoonLocked is DropOrphan in the background, for callers that hold locks; Mu must be held.
func (s *Tree) DropSoonLocked(n *tree.Node) {
	if s.Closed {
		return
	}
	s.Work.Go(func() { s.Drop(n) })
}

// LoseLocked forgets the service's version of n and removes its name, unless n holds content of
// local programs; Mu must be held. It returns the change for the kernel, if there is one.
func (s *Tree) LoseLocked(n *tree.Node) []Changed {
	if !n.Holds() {
		return []Changed{s.DetachLocked(n, nil, Superseded(n.Path()))}
	}
	s.VersionsLocked(n, tree.Version{}, tree.Version{})
	s.SaveLocked(n)
	return nil
}

// DropNames removes all names of n, whose content is in failed/.
func (s *Tree) DropNames(n *tree.Node) {
	for len(n.Also) > 0 {
		s.RemoveLocked(n, n.Also[0])
	}
	s.UnlinkLocked(n)
}
