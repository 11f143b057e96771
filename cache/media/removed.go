package media

import (
	"errors"
	"syscall"
)

// A file that is removed, or replaced by a rename, can be read and written by
// those who have it open, and opened by those who looked its name up before:
// its inode stays as long as the kernel knows it, and so does that of a
// directory, which tells its attributes to those who stand in it. A file's
// spool is renamed, so that it does not come back after a crash.

// Known notes that the kernel knows an inode from now on, until Forgotten.
func (s *Store) Known(ino Ino) {
	s.mu.RLock()
	n := s.nodes[ino]
	done := n == nil || n.known
	s.mu.RUnlock()
	if done {
		return
	}
	s.mu.Lock()
	n.known = true
	s.mu.Unlock()
}

// Forgotten notes that the kernel does not know an inode any more.
func (s *Store) Forgotten(ino Ino) {
	s.mu.Lock()
	n := s.nodes[ino]
	if n != nil {
		n.known = false
		if n.parent == nil && n.kind != File && n != s.root {
			delete(s.nodes, ino)
		}
	}
	s.mu.Unlock()
	if n != nil && n.kind == File {
		s.dropRemoved(n)
	}
}

// removeLocked takes one of n's names because somebody here wants it so; s.mu must be
// held. orphan has to follow without it.
func (s *Store) removeLocked(n *node, at link) {
	if len(n.also) > 0 {
		n.unname(at)
		now := s.now()
		at.dir.mtime, at.dir.ctime, n.ctime = now, now, now
		s.keepLocked(at.dir)
		s.keepLocked(n)
		return
	}
	s.unlinkLocked(n)
	if n.known {
		s.nodes[n.ino] = n
	}
}

// orphan sees to the content of a removed file, unless it has another name. No
// locks but places may be held.
func (s *Store) orphan(n *node) {
	s.mu.RLock()
	named := n.parent != nil
	s.mu.RUnlock()
	if named || n.kind != File {
		return
	}
	n.body().mu.Lock()
	if n.body().spool != nil {
		n.body().spool.Disown()
	}
	if n.body().closed != nil {
		n.body().closed.Disown()
		n.body().forgetClosed(s)
	}
	n.body().mu.Unlock()
	s.dropRemoved(n)
}

// dropRemoved drops n if it was removed and nobody can use it any more. While
// nobody but the kernel could, it takes no room. What was written to a file that
// others deleted goes to failed/: the kernel may forget the inode before the
// last handle is settled.
func (s *Store) dropRemoved(n *node) {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.Lock()
	idle := n.parent == nil && n.handles == 0
	unused, lost := idle && !n.known, idle && n.lost != "" && n.dirty()
	if unused && s.nodes[n.ino] == n {
		delete(s.nodes, n.ino)
	}
	s.mu.Unlock()
	if lost {
		s.setAsideLost(n)
	}
	switch {
	case unused:
		b.dropHeld()
		b.discard(s)
	case idle && b.spool != nil && b.spool.Frozen == 0: // rm frees room at once, as elsewhere
		b.spool.Close()
		s.spools.Release(b.spool)
	}
}

// setAsideLost moves what was written to a file that others deleted meanwhile
// to failed/, once; b.mu of the node must be held.
func (s *Store) setAsideLost(n *node) {
	b := n.body()
	sp := b.spool
	if sp == nil {
		return
	}
	s.mu.Lock()
	e := FailedEntry{Path: n.lost, Reason: lostWrites(n.lost).Error(), Size: sp.Size, Mode: n.permissions(), ModTime: n.mtime.Time()}
	n.on(kept)
	s.mu.Unlock()
	sp.Close()
	b.spool = nil
	if err := s.failures.add(sp.Path, e); err != nil {
		s.o.Log.Error("what was written to a deleted file stays in the spool", "path", e.Path, "error", err)
	}
}

// noteRemoved sees to it that n, which was removed here as the change of a
// number, is not there again after a kill. What others of its names still lead
// to is not removed: there its row is waited for.
func (s *Store) noteRemoved(n *node, change uint64) error {
	s.mu.RLock()
	named := n.parent != nil
	s.mu.RUnlock()
	if !named {
		err := s.removals.add(n.ino, change)
		if errors.Is(err, syscall.ENOSPC) && s.ballast.drop() {
			err = s.removals.add(n.ino, change)
		}
		if err == nil {
			return nil
		}
	}
	return s.table.kept(change)
}

// loseLocked forgets what the service had of n, and takes its name unless something
// is being written there; s.mu must be held.
func (s *Store) loseLocked(n *node) (gone bool) {
	delete(s.files, n.pub.id)
	if n.dirty() {
		n.pub = version{}
		s.keepLocked(n)
		return false
	}
	n.pub.id, n.pub.url = 0, address{} // what it was is for those who have it open
	if n.writers > 0 {
		n.own().lost = n.path()
	}
	s.unlinkLocked(n)
	if n.writers > 0 {
		n.on(vanished)
	}
	return true
}
