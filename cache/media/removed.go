package media

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/tree"
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
	done := n == nil || n.Known
	s.mu.RUnlock()
	if done {
		return
	}
	s.mu.Lock()
	n.Known = true
	s.mu.Unlock()
}

// Forgotten notes that the kernel does not know an inode any more.
func (s *Store) Forgotten(ino Ino) {
	s.mu.Lock()
	n := s.nodes[ino]
	if n != nil {
		n.Known = false
		if n.Parent == nil && n.Kind != File && n != s.root {
			delete(s.nodes, ino)
		}
	}
	s.mu.Unlock()
	if n != nil && n.Kind == File {
		s.dropRemoved(n)
	}
}

// removeLocked takes one of n's names because somebody here wants it so; s.mu must be
// held. orphan has to follow without it.
func (s *Store) removeLocked(n *tree.Node, at tree.Link) {
	if len(n.Also) > 0 {
		n.Unname(at)
		now := s.now()
		at.Dir.Mtime, at.Dir.Ctime, n.Ctime = now, now, now
		s.saveLocked(at.Dir)
		s.saveLocked(n)
		return
	}
	s.unlinkLocked(n)
	if n.Known {
		s.nodes[n.Ino] = n
	}
}

// orphan sees to the content of a removed file, unless it has another name. No
// locks but of names may be held.
func (s *Store) orphan(n *tree.Node) {
	s.mu.RLock()
	named := n.Parent != nil
	s.mu.RUnlock()
	if named || n.Kind != File {
		return
	}
	n.Body().Mu.Lock()
	if n.Body().Spool != nil {
		n.Body().Spool.Disown()
	}
	if n.Body().Pending != nil {
		n.Body().Pending.Disown()
		n.Body().ForgetPending(&s.spools)
	}
	n.Body().Mu.Unlock()
	s.dropRemoved(n)
}

// dropRemoved drops n if it was removed and nobody can use it any more. While
// nobody but the kernel could, it takes no room. What was written to a file that
// others deleted goes to failed/: the kernel may forget the inode before the
// last handle is finalized.
func (s *Store) dropRemoved(n *tree.Node) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.Lock()
	idle := n.Parent == nil && n.Handles == 0
	unused, lost := idle && !n.Known, idle && n.Lost != "" && n.Dirty()
	if unused && s.nodes[n.Ino] == n {
		delete(s.nodes, n.Ino)
	}
	s.mu.Unlock()
	if lost {
		s.setAsideLostBodyLocked(n)
	}
	switch {
	case unused:
		b.DropCached()
		b.Discard(&s.spools)
	case idle && b.Spool != nil && b.Spool.Frozen == 0: // rm frees room at once, as elsewhere
		b.Spool.Close()
		s.spools.Release(b.Spool)
	}
}

// setAsideLostBodyLocked moves what was written to a file that others have deleted since
// to failed/, once; b.mu of the node must be held.
func (s *Store) setAsideLostBodyLocked(n *tree.Node) {
	b := n.Body()
	sp := b.Spool
	if sp == nil || n.Beside && sp.Size == 0 {
		return
	}
	s.mu.Lock()
	e := failed.Entry{Path: n.Lost, Reason: lostReason(n).Error(), Size: sp.Size, Mode: n.Permissions(), ModTime: n.Mtime.Time()}
	n.On(tree.Salvaged)
	s.mu.Unlock()
	sp.Close()
	b.Spool = nil
	if err := s.failures.Add(sp.Path, e); err != nil {
		s.o.Log.Error("what was written to a deleted file stays in the spool", "path", e.Path, "error", err)
	}
}

// noteRemoved sees to it that n, which was removed here as the change of a
// number, is not there again after a kill. What others of its names still lead
// to is not removed: there its row is waited for.
func (s *Store) noteRemoved(n *tree.Node, change uint64) error {
	s.mu.RLock()
	named := n.Parent != nil
	s.mu.RUnlock()
	if !named {
		err := s.tombstones.Add(n.Ino, change)
		if errors.Is(err, syscall.ENOSPC) && s.ballast.Drop() {
			err = s.tombstones.Add(n.Ino, change)
		}
		if err == nil {
			return nil
		}
	}
	return s.journal.WaitWritten(change)
}

// loseLocked forgets what the service had of n, and takes its name unless something
// is being written there; s.mu must be held.
func (s *Store) loseLocked(n *tree.Node) (gone bool) {
	delete(s.files, n.Pub.ID)
	if n.Dirty() {
		n.Pub = tree.Version{}
		s.saveLocked(n)
		return false
	}
	s.partGoneLocked(n)
	n.Pub.ID, n.Pub.URL = 0, tree.Address{} // what it was is for those who have it open
	if n.Writers > 0 {
		n.Own().Lost = n.Path()
	}
	s.unlinkLocked(n)
	if n.Writers > 0 {
		n.On(tree.Vanished)
	}
	return true
}

// lostReason is why what is written to n has no name; s.mu must be held.
func lostReason(n *tree.Node) error {
	if n.Beside {
		return besideAnother(n.Lost)
	}
	return &Error{Kind: Damaged, Name: n.Lost, Detail: "it was deleted at the service while it was being written here; what was written goes to .paperfs/failed"}
}

// dropNames takes the names of n, whose content is in failed/.
func (s *Store) dropNames(n *tree.Node) {
	for len(n.Also) > 0 {
		s.removeLocked(n, n.Also[0])
	}
	s.unlinkLocked(n)
}

// loadTombstones drops what an earlier run had removed, unless the machine has
// ended since.
func (s *Store) loadTombstones(rebooted bool, leftovers map[Ino][]uint64) error {
	if !rebooted {
		return s.replayTombstones(leftovers)
	}
	if err := os.Remove(s.tombstones.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// replayTombstones drops what an earlier run had removed without writing its rows any
// more: the inodes, and their spools, which are among leftovers. A directory that
// has something in it again, since the rename that had emptied it was not written
// either, stays.
func (s *Store) replayTombstones(leftovers map[Ino][]uint64) error {
	inodes, err := s.tombstones.Replay()
	if err != nil {
		return err
	}
	removed := make(map[Ino]bool, len(inodes))
	for _, ino := range inodes {
		removed[ino] = true
		s.lastIno = max(s.lastIno, ino) // else a file that gets its number would go with the next kill
	}
	for ino := range removed {
		if n := s.nodes[ino]; n != nil && n.AtService() {
			continue // GetTree tells
		}
		for _, serial := range leftovers[ino] {
			if err := os.Remove(s.spools.PathOf(ino, serial)); err != nil {
				return err
			}
		}
		delete(leftovers, ino)
		s.replayTombstone(ino, removed)
	}
	s.tombstones.Until(s.dirtied)
	return nil
}

// replayTombstone takes the names of one of the removed inodes, if there is nothing in
// it, and of those that it lay in.
func (s *Store) replayTombstone(ino Ino, removed map[Ino]bool) {
	for n := s.nodes[ino]; n != nil && removed[n.Ino] && !n.AtService() && len(n.Children) == 0; {
		in := n.Parent
		s.dropNames(n)
		n = in
	}
}
