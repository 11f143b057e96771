package media

import "syscall"

// DropPrivileges takes the bits off a file's mode that have it run as somebody
// else, as every file system does when one who is not root writes to it. The
// kernel leaves that to us where writes go past its page cache.
func (h *Handle) DropPrivileges() {
	s := h.store
	s.mu.RLock()
	none := h.node.privileges() == 0
	s.mu.RUnlock()
	if none {
		return
	}
	s.mu.Lock()
	n := h.node
	n.mode &^= n.privileges()
	n.ctime = s.now()
	s.keepLocked(n)
	var change []Changed
	if n.parent != nil {
		change = []Changed{{Dir: n.parent.ino, Contents: []string{n.name}}} // the kernel keeps the mode
	}
	s.mu.Unlock()
	s.changes.add(change...)
}

// privileges are those bits; Store.mu must be held. Set-group-ID without
// execution by the group means something else.
func (n *node) privileges() uint16 {
	bits := n.mode & syscall.S_ISUID
	if n.mode&syscall.S_IXGRP != 0 {
		bits |= n.mode & syscall.S_ISGID
	}
	return bits
}
