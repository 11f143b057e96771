package media

// DropPrivileges takes the bits off a file's mode that have it run as somebody
// else, as every file system does when one who is not root writes to it. The
// kernel leaves that to us where writes go past its page cache.
func (h *Handle) DropPrivileges() {
	s := h.store
	s.mu.RLock()
	none := h.node.Privileges() == 0
	s.mu.RUnlock()
	if none {
		return
	}
	s.mu.Lock()
	n := h.node
	n.Mode &^= n.Privileges()
	n.Ctime = s.now()
	s.keepLocked(n)
	var change []Changed
	if n.Parent != nil {
		change = []Changed{{Dir: n.Parent.Ino, Contents: []string{n.Name}}} // the kernel keeps the mode
	}
	s.mu.Unlock()
	s.changes.add(change...)
}
