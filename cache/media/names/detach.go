package names

import (
	"path"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// The bytes of an inode change only by writes of programs on this machine. Whatever else changes
// what a name holds gives the name a new inode, as a rename over the file does on any file system:
// a colleague's version, a refusal that takes content back, the verdict on what a killed writer
// left. Programs that have the old inode open keep it, and what they write to it goes to failed/.

// OrphanLocked records that no name shows n, whose last path was path; Mu must be held. why says
// why content of it that the service lacks is not published.
func (s *Tree) OrphanLocked(n *tree.Node, path string, why tree.Verdict) {
	own := n.Own()
	own.Lost, own.Why = path, why
	n.Written = n.State() != tree.Clean || n.Pub.ID == 0
	delete(s.Closing, n.Ino)
	s.unindexLocked(n)
	s.SetQueuedLocked(n, false)
	n.On(tree.Unlinked)
	n.Ctime, n.Pub.URL = s.Now(), tree.Address{} // the address serves what the name holds now
	s.SaveLocked(n)
	if n.Handles == 0 && !n.Known && !n.Stray() {
		delete(s.Nodes, n.Ino)
	}
}

// DetachLocked takes its only name away from n and gives it to successor, unless that is nil; Mu must be
// held. It returns the change for the kernel.
func (s *Tree) DetachLocked(n, successor *tree.Node, why tree.Verdict) Changed {
	dir, name, path := n.Parent, n.Name, n.Path()
	s.DetachSidecarsLocked(n)
	n.Detach()
	s.OrphanLocked(n, path, why)
	if successor != nil {
		s.LinkLocked(dir, name, successor)
		s.IndexLocked(successor)
		s.OfferLocked(successor) // nobody writes to what is queued any more
	} else {
		now := s.Now()
		dir.Mtime, dir.Ctime = now, now
		s.SaveLocked(dir)
	}
	return Changed{Dir: dir.Ino, Entries: []string{name}, Detached: []*tree.Node{n}}
}

// SupersedeLocked gives the name of n, which holds nothing that the service lacks, to a new inode
// with version v of the service; Mu must be held.
func (s *Tree) SupersedeLocked(n *tree.Node, v tree.Version) (*tree.Node, Changed) {
	successor := s.SuccessorLocked(n)
	successor.Pub, successor.Mtime, successor.Ctime = v, v.ModTime, v.ModTime
	return successor, s.DetachLocked(n, successor, Superseded(n.Path()))
}

// Superseded is the verdict on what is written to a file after others have changed it.
func Superseded(path string) tree.Verdict {
	return tree.Verdict{Reason: &refusal.Error{Kind: refusal.Superseded, Name: path,
		Detail: "somebody else has changed or deleted it on the service since it was opened; what was written here goes to .paperfs/failed"}}
}

// ReplacedLocked reports whether n was written after others have replaced it, and may be whole; Mu must
// be held.
func ReplacedLocked(n *tree.Node) bool {
	return n.Stray() && refusal.Is(n.Why.Reason, refusal.Superseded)
}

// InodeForLocked returns the inode of the name of n for a version of the service, which the caller
// records: a new one, unless n holds content of local programs. Mu must be held.
func (s *Tree) InodeForLocked(n *tree.Node) *tree.Node {
	if n.Holds() {
		return n
	}
	successor, change := s.SupersedeLocked(n, n.Pub)
	s.Changes.Tell(change)
	return successor
}

// SuccessorLocked returns a new inode with the service's version of n; Mu must be held.
func (s *Tree) SuccessorLocked(n *tree.Node) *tree.Node {
	successor := s.NewNodeLocked(inode.File, uint32(n.Mode), n.UID, n.GID)
	successor.Pub, successor.Atime, successor.Mtime = n.Latest(), n.Atime, n.Latest().ModTime
	if n.Changed != 0 {
		successor.Own().Changed = n.Changed
	}
	if n.PDF != nil {
		successor.Own().PDF = new(*n.PDF)
		successor.PDF.Other = ""
	}
	return successor
}

// SuccessorBodyLocked returns a new inode with the queued content of n, or else the service's version,
// or nil if there is none; Body.Mu and Mu must be held.
func (s *Tree) SuccessorBodyLocked(n *tree.Node) *tree.Node {
	if !n.Queued() && n.Latest().ID == 0 {
		return nil
	}
	successor := s.SuccessorLocked(n)
	if !n.Queued() {
		return successor
	}
	successor.Pub, successor.Own().Theirs = n.Pub, n.Theirs // it is what the queued content was begun on
	from, to := n.Body(), successor.Body()
	to.Spool, to.Pending, to.Gen, to.Queued, to.Sent = from.Pending, from.Pending, from.Queued, from.Queued, from.Sent
	from.Pending = nil
	successor.Mtime, successor.Written = n.Mtime, true
	own := successor.Own()
	own.Size, own.Draft, own.Delivery, own.Copied = to.Spool.Size, to.Spool.Serial, n.Delivery, n.Copied
	successor.Delivery.Node, successor.Delivery.Outdated = successor, true
	if n.Copied {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino, Successor: successor.Ino})
	}
	n.Own().Delivery, n.Own().Copied = nil, false
	successor.On(tree.Enqueued)
	return successor
}

// ErrStale makes the kernel look the name up again.
var ErrStale = &refusal.Error{Kind: refusal.Stale, Detail: "the name has another inode now"}

// young is how long a program that opens a file at the same time as its name changes may get either
// inode.
const young = 100 * time.Millisecond

// StaleLocked reports whether a program that opens n to read it must look its name up again, because
// the name no longer refers to n; Mu must be held. It gets a whole version, however, if it has no other
// way to n (the kernel has been told of the change), or may have come before the change.
func (s *Tree) StaleLocked(n *tree.Node) bool {
	return n.Lost != "" && (n.Dirty() || !n.Notified && s.o.Now().Sub(n.Ctime.Time()).Abs() >= young)
}

// MeantForName reports whether a change of an inode that names no handle, of its length or of other
// attributes, is meant for a name that has another inode now.
func (s *Tree) MeantForName(ino inode.Ino, length bool) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	n := s.Nodes[ino]
	return n == nil || n.Lost != "" && (length || n.Handles == 0 || !n.Notified)
}

// Notified records that the kernel knows of a change: it looks the names up again from now on.
func (s *Tree) Notified(c Changed) {
	for _, n := range c.Detached {
		n.Body().Supersede()
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, n := range c.Detached {
		n.Own().Notified = true
	}
}

// YieldNameLocked gives the name of n to a new inode with the version that others have put there; Mu
// must be held.
func (s *Tree) YieldNameLocked(n *tree.Node) {
	dir, name := n.Parent, n.Name
	s.DetachSidecarsLocked(n)
	theirs := s.SuccessorLocked(n)
	s.unindexLocked(n)
	n.Detach()
	s.LinkLocked(dir, name, theirs)
	s.IndexLocked(theirs)
}

// ReattachLocked makes n, which has content that is not published because others have replaced n, a file
// that can be published again. It returns where n was, or nil if that directory is gone; Mu must be held.
func (s *Tree) ReattachLocked(n *tree.Node) (dir *tree.Node, name string) {
	in, name := path.Split(n.Lost)
	dir = s.FindLocked(in)
	if dir == nil || dir.Kind != inode.Directory || dir.Local() {
		return nil, name
	}
	n.On(tree.Shown)
	n.Own().Lost, n.Own().Why, n.Own().Notified = "", tree.Verdict{}, false
	return dir, name
}
