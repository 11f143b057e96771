package media

import (
	"cmp"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/tree"
)

// A removed or replaced file stays usable: open handles can read and write it, and programs
// that looked it up before can open it. Its inode stays as long as the kernel knows it. The
// same holds for directories, whose attributes remain available to processes with such a
// working directory. The file's spool is renamed so that a crash does not restore it.

// Known records that the kernel knows an inode, until Forgotten is called.
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

// Forgotten records that the kernel no longer knows an inode.
func (s *Store) Forgotten(ino Ino) {
	s.mu.Lock()
	n := s.nodes[ino]
	if n != nil {
		n.Known = false
		if n.Parent == nil && n.Kind != File && n != s.root {
			delete(s.nodes, ino)
		}
		s.dropIdleLocked(n)
	}
	s.mu.Unlock()
	if n != nil && n.Kind == File {
		_ = s.dropApart(n)
	}
}

// removeLocked removes one of n's names on behalf of a local caller; s.mu must be held. The
// caller must call orphan after unlocking it.
func (s *Store) removeLocked(n *tree.Node, at tree.Link) {
	at.Dir.Unsure = at.Dir.Unsure || n.IsPDF() && n.PDF.MayBeThere
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

// orphan drops the content of a removed file unless it has another name. Only name locks may be
// held.
func (s *Store) orphan(n *tree.Node) {
	if s.disown(n) {
		_ = s.dropApart(n)
	}
}

// disown makes the content of a removed file end with this run, unless it has another name. It
// reports whether it did.
func (s *Store) disown(n *tree.Node) bool {
	s.mu.RLock()
	named := n.Parent != nil
	s.mu.RUnlock()
	if named || n.Kind != File {
		return false
	}
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if n.PDF != nil && b.Gen == b.Sent { // the PDF that the paper has outlives its name
		s.keepSentBodyLocked(n)
	}
	if b.Spool != nil {
		b.Spool.Disown()
	}
	if b.Pending != nil {
		b.Pending.Disown()
		b.ForgetPending(&s.spools)
	}
	return true
}

// dropApart drops n if no name shows it and nothing can use it. While only the kernel knows it,
// its content takes no room. Content for failed/ moves there first: the kernel may forget the inode
// before the last handle is finalized.
func (s *Store) dropApart(n *tree.Node) (err error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	idle, stray, known := n.Parent == nil && n.Handles == 0, n.Stray(), n.Known
	s.mu.RUnlock()
	if !idle || s.lost() {
		return nil
	}
	b.CloseSource()
	if n.PDF != nil && b.Gen == b.Sent {
		s.keepSentBodyLocked(n)
	}
	if stray {
		if err = s.failBodyLocked(n); err != nil {
			return err // it is tried again
		}
	}
	switch {
	case stray || !known:
		s.mu.Lock()
		if s.nodes[n.Ino] == n {
			delete(s.nodes, n.Ino)
		}
		if n.Spooled() {
			s.saveLocked(n) // without it
		}
		s.mu.Unlock()
		b.Discard(&s.spools)
	case b.Spool != nil && b.Spool.Frozen == 0: // rm frees space at once, as on other file systems
		b.Spool.Close()
		s.spools.Release(b.Spool)
	}
	return nil
}

// dropSoonLocked is dropApart in the background, for callers that hold locks; s.mu must be held.
func (s *Store) dropSoonLocked(n *tree.Node) {
	if s.closed {
		return
	}
	s.work.Go(func() { s.drop(n) })
}

// failBodyLocked moves the content of a file that no name shows to failed/; Body.Mu must be held. If
// it cannot, it queues the file to try again.
func (s *Store) failBodyLocked(n *tree.Node) (err error) {
	b := n.Body()
	sp := b.Spool
	if sp != nil && s.openSpool(sp) != nil && s.lost() {
		return nil
	}
	s.mu.RLock()
	why := n.Why
	if b.Verdict().Final { // a write failed since
		why = b.Verdict()
	}
	e := failed.EntryOf(n, 0, why)
	worthless := sp == nil || why.Worthless() || sp.Size == 0 && (n.PDF != nil || localname.IsSidecar(n.Name))
	s.mu.RUnlock()
	if worthless {
		b.Discard(&s.spools)
	} else {
		sp.Close()
		e.Size = sp.Size
		if err = s.failures.Add(sp.Path, e); err == nil {
			b.Spool = nil
		} else {
			err = cmp.Or(s.o.State.Writable(), err)
			s.o.Log.Error("content that was not published stays in the spool", "path", e.Path, "error", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.finalizeAgainLocked(n)
		return err
	}
	n.Own().Draft = 0
	s.saveLocked(n)
	s.setQueuedLocked(n, false)
	return nil
}

// loseLocked forgets the service's version of n and removes its name, unless n holds content of
// local programs; s.mu must be held. It returns the change for the kernel, if there is one.
func (s *Store) loseLocked(n *tree.Node) []Changed {
	if !n.Holds() {
		return []Changed{s.partLocked(n, nil, superseded(n.Path()))}
	}
	s.versionsLocked(n, tree.Version{}, tree.Version{})
	s.saveLocked(n)
	return nil
}

// dropNames removes all names of n, whose content is in failed/.
func (s *Store) dropNames(n *tree.Node) {
	for len(n.Also) > 0 {
		s.removeLocked(n, n.Also[0])
	}
	s.unlinkLocked(n)
}
