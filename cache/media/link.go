package media

// newNodeLocked makes an inode without a name; s.mu must be held.
func (s *Store) newNodeLocked(kind FileKind, mode uint32, uid, gid int64) *node {
	s.lastIno++
	now := s.now()
	n := newNode(s.lastIno, kind)
	n.mode, n.uid, n.gid = uint16(mode&(0o7777|ownMode)), uid, gid
	n.atime, n.mtime, n.ctime = now, now, now
	s.nodes[n.ino] = n
	return n
}

// linkLocked gives n a name; s.mu must be held.
func (s *Store) linkLocked(dir *node, name string, n *node) uint64 {
	dir.attach(name, n)
	now := s.now()
	dir.mtime, dir.ctime = now, now
	s.offerLocked(n)
	s.keepLocked(dir)
	return s.keepLocked(n)
}

// unlinkLocked takes n's name; s.mu must be held. The inode goes with its last
// handle.
func (s *Store) unlinkLocked(n *node) {
	now := s.now()
	n.parent.mtime, n.parent.ctime = now, now
	s.keepLocked(n.parent)
	n.detach()
	s.unindexLocked(n)
	s.setQueuedLocked(n, false)
	n.on(unlinked)
	s.keepLocked(n)
	if n.handles == 0 {
		delete(s.nodes, n.ino)
	}
}
