package media

import "paperfs/cache/media/tree"

// newNodeLocked makes an inode without a name; s.mu must be held.
func (s *Store) newNodeLocked(kind FileKind, mode uint32, uid, gid int64) *tree.Node {
	s.lastIno++
	now := s.now()
	n := tree.NewNode(s.lastIno, kind)
	n.Mode, n.UID, n.GID = uint16(mode&(0o7777|tree.OwnMode)), uid, gid
	n.Atime, n.Mtime, n.Ctime = now, now, now
	s.nodes[n.Ino] = n
	return n
}

// linkLocked gives n a name; s.mu must be held.
func (s *Store) linkLocked(dir *tree.Node, name string, n *tree.Node) uint64 {
	dir.Attach(name, n)
	now := s.now()
	dir.Mtime, dir.Ctime = now, now
	s.offerLocked(n)
	s.keepLocked(dir)
	return s.keepLocked(n)
}

// unlinkLocked takes n's name, the only one; s.mu must be held.
func (s *Store) unlinkLocked(n *tree.Node) {
	now := s.now()
	n.Parent.Mtime, n.Parent.Ctime = now, now
	s.keepLocked(n.Parent)
	n.Detach()
	s.endLocked(n)
}

// endLocked sees to n, whose last name has gone; s.mu must be held. The inode goes with
// its last handle.
func (s *Store) endLocked(n *tree.Node) {
	s.unindexLocked(n)
	s.setQueuedLocked(n, false)
	n.On(tree.Unlinked)
	s.keepLocked(n)
	if n.Handles == 0 {
		delete(s.nodes, n.Ino)
	}
}
