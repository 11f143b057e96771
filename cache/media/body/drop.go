package body

import (
	"cmp"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/tree"
)

// Forgotten records that the kernel no longer knows an inode.
func (s *Bodies) Forgotten(ino inode.Ino) {
	s.names.Mu.Lock()
	n := s.names.Nodes[ino]
	if n != nil {
		n.Known = false
		if n.Parent == nil && n.Kind != inode.File && n != s.names.Root {
			delete(s.names.Nodes, ino)
		}
		s.names.DropIdleLocked(n)
	}
	s.names.Mu.Unlock()
	if n != nil && n.Kind == inode.File {
		_ = s.DropOrphan(n)
	}
}

// DropRemoved drops the content of a removed file unless it has another name. Only name locks may be
// held.
func (s *Bodies) DropRemoved(n *tree.Node) {
	if s.Disown(n) {
		_ = s.DropOrphan(n)
	}
}

// Disown makes the content of a removed file end with this run, unless it has another name. It
// reports whether it did.
func (s *Bodies) Disown(n *tree.Node) bool {
	s.names.Mu.RLock()
	named := n.Parent != nil
	s.names.Mu.RUnlock()
	if named || n.Kind != inode.File {
		return false
	}
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if n.PDF != nil && b.Gen == b.Sent { // the PDF that the paper has outlives its name
		s.KeepSentBodyLocked(n)
	}
	if b.Spool != nil {
		b.Spool.Disown()
	}
	if b.Pending != nil {
		b.Pending.Disown()
		b.ForgetPending(&s.Spools)
	}
	return true
}

// DropOrphan drops n if no name shows it and nothing can use it. While only the kernel knows it,
// its content takes no room. Content for failed/ moves there first: the kernel may forget the inode
// before the last handle is finalized.
func (s *Bodies) DropOrphan(n *tree.Node) (err error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.names.Mu.RLock()
	idle, stray, known := n.Parent == nil && n.Handles == 0, n.Stray(), n.Known
	s.names.Mu.RUnlock()
	if !idle || s.IsLost() {
		return nil
	}
	b.CloseSource()
	if n.PDF != nil && b.Gen == b.Sent {
		s.KeepSentBodyLocked(n)
	}
	if stray {
		if err = s.failBodyLocked(n); err != nil {
			return err // it is tried again
		}
	}
	switch {
	case stray || !known:
		s.names.Mu.Lock()
		if s.names.Nodes[n.Ino] == n {
			delete(s.names.Nodes, n.Ino)
		}
		if n.Spooled() {
			s.names.SaveLocked(n) // without it
		}
		s.names.Mu.Unlock()
		b.Discard(&s.Spools)
	case b.Spool != nil && b.Spool.Frozen == 0: // rm frees space at once, as on other file systems
		b.Spool.Close()
		s.Spools.Release(b.Spool)
	}
	return nil
}

// failBodyLocked moves the content of a file that no name shows to failed/; Body.Mu must be held. If
// it cannot, it queues the file to try again.
func (s *Bodies) failBodyLocked(n *tree.Node) (err error) {
	b := n.Body()
	sp := b.Spool
	if sp != nil && s.OpenSpool(sp) != nil && s.IsLost() {
		return nil
	}
	s.names.Mu.RLock()
	why := n.Why
	if b.Verdict().Final { // a write failed since
		why = b.Verdict()
	}
	e := failed.EntryOf(n, 0, why)
	worthless := sp == nil || why.Worthless() || sp.Size == 0 && (n.PDF != nil || localname.IsSidecar(n.Name))
	s.names.Mu.RUnlock()
	if worthless {
		b.Discard(&s.Spools)
	} else {
		sp.Close()
		e.Size = sp.Size
		if err = s.Failures.Add(sp.Path, e); err == nil {
			b.Spool = nil
		} else {
			err = cmp.Or(s.o.State.Writable(), err)
			s.o.Log.Error("content that was not published stays in the spool", "path", e.Path, "error", err)
		}
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if err != nil {
		s.names.FinalizeAgainLocked(n)
		return err
	}
	n.Own().Draft = 0
	s.names.SaveLocked(n)
	s.names.SetQueuedLocked(n, false)
	return nil
}
