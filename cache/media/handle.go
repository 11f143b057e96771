package media

import "paperfs/cache/media/refusal"

// Handle is an open file. Its methods may be called at the same time.
type Handle struct {
	store *Store
	node  *node
	write bool

	// body.mu of the node guards these.
	gen    uint64 // the last generation that was written by this handle
	broken error  // a write on this handle failed: it publishes nothing
}

// Open opens a file. It never needs the content: that is fetched at the first
// read or partial write.
func (s *Store) Open(ino Ino, write bool) (*Handle, error) {
	s.mu.RLock()
	n := s.nodes[ino]
	if n == nil {
		s.mu.RUnlock()
		return nil, refusal.NoSuchFile("")
	}
	if n.kind != File {
		defer s.mu.RUnlock()
		return nil, &Error{Kind: IsDirectory, Name: n.name, Detail: "not a file"}
	}
	s.mu.RUnlock()
	// First the body: who settles the file after its last handle holds that,
	// and may take the inode away.
	n.body().mu.Lock()
	defer n.body().mu.Unlock()
	h := &Handle{store: s, node: n, write: write}
	s.mu.Lock()
	if s.nodes[ino] != n {
		s.mu.Unlock()
		return nil, refusal.NoSuchFile("")
	}
	h.countLocked(1)
	s.mu.Unlock()
	if n.body().spool == nil {
		return h, nil
	}
	if err := n.body().spool.Open(); err != nil {
		s.mu.Lock()
		h.countLocked(-1)
		s.mu.Unlock()
		return nil, err
	}
	return h, nil
}

// countLocked adds the handle to those that are open, or takes it away; Store.mu
// must be held.
func (h *Handle) countLocked(by int) {
	h.node.own().handles += by
	if h.write {
		h.node.own().writers += by
		h.store.unblankLocked(h.node)
	}
}

// unblankLocked shows what others have put into n, once nobody writes it; Store.mu
// must be held.
func (s *Store) unblankLocked(n *node) {
	if !n.blank || n.writers > 0 {
		return
	}
	n.own().blank = false
	if n.pub.id != 0 && n.parent != nil {
		n.mtime, n.ctime = n.pub.modTime, n.pub.modTime
		s.keepAttrLocked(n)
		s.changes.add(Changed{Dir: n.parent.ino, Contents: []string{n.name}})
	}
}

// Clean reports whether a close of this handle says nothing of what is here and
// not at the service.
func (h *Handle) Clean() bool {
	h.node.body().mu.RLock()
	broken, allQueued := h.broken != nil, h.node.body().allQueued()
	h.node.body().mu.RUnlock()
	s := h.store
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := h.node
	if !h.write || broken || n.lost != "" {
		return !h.write
	}
	return n.local() || n.parent == nil || n.queued() && allQueued || n.pub.id != 0 && !n.dirty()
}

// Ino is the file's inode.
func (h *Handle) Ino() Ino { return h.node.ino }
