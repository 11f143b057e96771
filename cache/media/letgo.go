package media

import (
	"paperfs/cache/media/journal"
	"paperfs/cache/media/tree"
)

// letGoBodyLocked takes the name away from n, whose content must not be published, and gives it to a
// new inode with what it held before; Body.Mu must be held. Programs that have n open go on with its
// content, and no close of theirs publishes it: the last release moves it to failed/. If n has
// nothing that its name does not hold in any case, letGoBodyLocked does nothing.
func (s *Store) letGoBodyLocked(n *tree.Node, why tree.Verdict) {
	b := n.Body()
	if err := s.dropDequeuedBodyLocked(n); err != nil {
		s.o.Log.Error("cannot record that a file left the queue", "error", err)
	}
	s.mu.RLock()
	nothing := n.Parent == nil || n.Local() || b.AllQueued() || !n.Dirty() && n.Pub.ID != 0
	s.mu.RUnlock()
	if nothing {
		return
	}
	if b.Spool == nil {
		_ = s.draftEmptyBodyLocked(n) // without room there is no entry of failed/ for an empty file
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Parent == nil || n.Local() { // it lost its name in the meantime
		return
	}
	if n.State() == tree.Stuck {
		s.setQueuedLocked(n, false)
	}
	s.detachSidecarsLocked(n)
	dir, name := n.Parent, n.Name
	n.Own().Lost, n.Own().Spoilt = n.Path(), why
	delete(s.closing, n.Ino)
	s.unindexLocked(n)
	heir := s.heirBodyLocked(n)
	n.Detach()
	n.On(tree.Spoiled)
	if heir != nil {
		s.linkLocked(dir, name, heir)
		s.indexLocked(heir)
	} else {
		now := s.now()
		dir.Mtime, dir.Ctime = now, now
		s.saveLocked(dir)
	}
	s.saveLocked(n)
	s.changes.add(Changed{Dir: dir.Ino, Entries: []string{name}})
}

// errLetGo makes the kernel look the name up again.
var errLetGo = &Error{Kind: Stale, Detail: "what was being written is spoilt; the name has another inode now"}

// letGoLocked reports whether the name of n has let go of it and nothing has it open; s.mu must be
// held.
func letGoLocked(n *tree.Node) bool { return n.Spoilt.Reason != nil && n.Handles == 0 }

// heirBodyLocked returns a new inode with the queued content of n, or else the service's version,
// or nil if there is none; Body.Mu and s.mu must be held.
func (s *Store) heirBodyLocked(n *tree.Node) *tree.Node {
	if n.Pub.ID == 0 && !n.Queued() {
		return nil
	}
	heir := s.newNodeLocked(File, uint32(n.Mode), n.UID, n.GID)
	heir.Pub, heir.Atime, heir.Mtime = n.Pub, n.Atime, n.Pub.ModTime
	heir.Own().Changed = n.Changed
	if !n.Queued() {
		return heir
	}
	from, to := n.Body(), heir.Body()
	to.Spool, to.Pending, to.Gen, to.Queued, to.Sent = from.Pending, from.Pending, from.Queued, from.Queued, from.Sent
	from.Pending = nil
	heir.Mtime, heir.Written = n.Mtime, true
	own := heir.Own()
	own.Size, own.Draft, own.Delivery, own.Copied = to.Spool.Size, to.Spool.Serial, n.Delivery, n.Copied
	heir.Delivery.Node = heir
	if n.Copied {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino, Heir: heir.Ino})
	}
	n.Own().Delivery, n.Own().Copied = nil, false
	heir.On(tree.Enqueued)
	return heir
}
