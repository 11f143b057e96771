package media

import (
	"time"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// The bytes of an inode change only by writes of programs on this machine. Whatever else changes
// what a name holds gives the name a new inode, as a rename over the file does on any file system:
// a colleague's version, a refusal that takes content back, the verdict on what a killed writer
// left. Programs that have the old inode open keep it, and what they write to it goes to failed/.

// apartLocked records that no name shows n, whose last path was path; s.mu must be held. why says
// why content of it that the service lacks is not published.
func (s *Store) apartLocked(n *tree.Node, path string, why tree.Verdict) {
	own := n.Own()
	own.Lost, own.Why = path, why
	n.Written = n.State() != tree.Clean || n.Pub.ID == 0
	delete(s.closing, n.Ino)
	s.unindexLocked(n)
	s.setQueuedLocked(n, false)
	n.On(tree.Parted)
	n.Ctime, n.Pub.URL = s.now(), tree.Address{} // the address serves what the name holds now
	s.saveLocked(n)
	if n.Handles == 0 && !n.Known && !n.Stray() {
		delete(s.nodes, n.Ino)
	}
}

// partLocked takes its only name away from n and gives it to heir, unless that is nil; s.mu must be
// held. It returns the change for the kernel.
func (s *Store) partLocked(n, heir *tree.Node, why tree.Verdict) Changed {
	dir, name, path := n.Parent, n.Name, n.Path()
	s.detachSidecarsLocked(n)
	n.Detach()
	s.apartLocked(n, path, why)
	if heir != nil {
		s.linkLocked(dir, name, heir)
		s.indexLocked(heir)
		s.offerLocked(heir) // nobody writes to what is queued any more
	} else {
		now := s.now()
		dir.Mtime, dir.Ctime = now, now
		s.saveLocked(dir)
	}
	return Changed{Dir: dir.Ino, Entries: []string{name}, parted: []*tree.Node{n}}
}

// supersedeLocked gives the name of n, which holds nothing that the service lacks, to a new inode
// with version v of the service; s.mu must be held.
func (s *Store) supersedeLocked(n *tree.Node, v tree.Version) (*tree.Node, Changed) {
	heir := s.heirLocked(n)
	heir.Pub, heir.Mtime, heir.Ctime = v, v.ModTime, v.ModTime
	return heir, s.partLocked(n, heir, superseded(n.Path()))
}

// superseded is the verdict on what is written to a file after others have changed it.
func superseded(path string) tree.Verdict {
	return tree.Verdict{Reason: &Error{Kind: Superseded, Name: path,
		Detail: "somebody else has changed or deleted it on the service since it was opened; what was written here goes to .paperfs/failed"}}
}

// replacedLocked reports whether n was written after others have replaced it, and may be whole; s.mu must
// be held.
func replacedLocked(n *tree.Node) bool {
	return n.Stray() && refusal.Is(n.Why.Reason, refusal.Superseded)
}

// inodeForLocked returns the inode of the name of n for a version of the service, which the caller
// records: a new one, unless n holds content of local programs. s.mu must be held.
func (s *Store) inodeForLocked(n *tree.Node) *tree.Node {
	if n.Holds() {
		return n
	}
	heir, change := s.supersedeLocked(n, n.Pub)
	s.changes.add(change)
	return heir
}

// letGoBodyLocked takes the name away from n, whose content must not be published, and gives it to a
// new inode with what it held before; Body.Mu must be held. Programs that have n open go on with its
// content, and no close of theirs publishes it: the last release moves it to failed/. If n has
// nothing that its name does not hold in any case, letGoBodyLocked does nothing. If others have replaced n
// before, the new verdict stands.
func (s *Store) letGoBodyLocked(n *tree.Node, why tree.Verdict) {
	b := n.Body()
	s.mu.Lock()
	if replacedLocked(n) {
		n.Own().Why = why
	}
	s.mu.Unlock()
	if b.Pending != nil {
		if err := s.dropDequeuedBodyLocked(n); err != nil {
			s.o.Log.Error("cannot record that a file left the queue", "error", err)
		}
	}
	s.mu.RLock()
	nothing := n.Parent == nil || n.Local() || b.AllQueued() || !n.Dirty() && n.Pub.ID != 0
	s.mu.RUnlock()
	if nothing {
		return
	}
	if b.Spool == nil && n.PDF == nil {
		_ = s.draftEmptyBodyLocked(n) // without room there is no entry of failed/ for an empty file
	}
	s.mu.Lock()
	if n.Parent == nil || n.Local() { // it lost its name in the meantime
		s.mu.Unlock()
		return
	}
	sidecars := len(sidecarsLocked(n)) > 0
	heir := s.heirBodyLocked(n)
	if heir != nil && n.PDF == nil && refusal.Is(why.Reason, refusal.Superseded) {
		heir.Own().Unseen = s.o.Now()
	}
	if heir != nil && why.Reason == errEmptyPDF {
		heir.PDF.Emptied = true
	}
	s.changes.add(s.partLocked(n, heir, why))
	s.mu.Unlock()
	if !sidecars {
		return
	}
	if err := s.waitWritten(); err != nil {
		s.o.Log.Error("after a kill the journal of another database may reappear", "error", err)
	}
}

// letGo is letGoBodyLocked.
func (s *Store) letGo(n *tree.Node, why tree.Verdict) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.letGoBodyLocked(n, why)
}

// heirLocked returns a new inode with the service's version of n; s.mu must be held.
func (s *Store) heirLocked(n *tree.Node) *tree.Node {
	heir := s.newNodeLocked(File, uint32(n.Mode), n.UID, n.GID)
	heir.Pub, heir.Atime, heir.Mtime = n.Latest(), n.Atime, n.Latest().ModTime
	if n.Changed != 0 {
		heir.Own().Changed = n.Changed
	}
	if n.PDF != nil {
		heir.Own().PDF = new(*n.PDF)
		heir.PDF.Other = ""
	}
	return heir
}

// heirBodyLocked returns a new inode with the queued content of n, or else the service's version,
// or nil if there is none; Body.Mu and s.mu must be held.
func (s *Store) heirBodyLocked(n *tree.Node) *tree.Node {
	if !n.Queued() && n.Latest().ID == 0 {
		return nil
	}
	heir := s.heirLocked(n)
	if !n.Queued() {
		return heir
	}
	heir.Pub, heir.Own().Theirs = n.Pub, n.Theirs // it is what the queued content was begun on
	from, to := n.Body(), heir.Body()
	to.Spool, to.Pending, to.Gen, to.Queued, to.Sent = from.Pending, from.Pending, from.Queued, from.Queued, from.Sent
	from.Pending = nil
	heir.Mtime, heir.Written = n.Mtime, true
	own := heir.Own()
	own.Size, own.Draft, own.Delivery, own.Copied = to.Spool.Size, to.Spool.Serial, n.Delivery, n.Copied
	heir.Delivery.Node, heir.Delivery.Outdated = heir, true
	if n.Copied {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino, Heir: heir.Ino})
	}
	n.Own().Delivery, n.Own().Copied = nil, false
	heir.On(tree.Enqueued)
	return heir
}

// errLetGo makes the kernel look the name up again.
var errLetGo = &Error{Kind: Stale, Detail: "the name has another inode now"}

// young is how long a program that opens a file at the same time as its name changes may get either
// inode.
const young = 100 * time.Millisecond

// staleLocked reports whether a program that opens n to read it must look its name up again, because
// the name has let go of n; s.mu must be held. It gets a whole version, however, if it has no other
// way to n (the kernel has been told of the change), or may have come before the change.
func (s *Store) staleLocked(n *tree.Node) bool {
	return n.Lost != "" && (n.Dirty() || !n.Told && s.o.Now().Sub(n.Ctime.Time()).Abs() >= young)
}

// MeantForName reports whether a change of an inode that names no handle, of its length or of other
// attributes, is meant for a name that has another inode now.
func (s *Store) MeantForName(ino Ino, length bool) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.nodes[ino]
	return n == nil || n.Lost != "" && (length || n.Handles == 0 || !n.Told)
}

// Told records that the kernel knows of a change: it looks the names up again from now on.
func (s *Store) Told(c Changed) {
	for _, n := range c.parted {
		n.Body().Supersede()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range c.parted {
		n.Own().Told = true
	}
}
