package names

import (
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
)

// StopLocked stops sending a delivery, now and later, and returns its previous state; Mu must
// be held.
func (s *Tree) StopLocked(d *tree.Delivery) outbox.State {
	was, there := d.Queue.Cancel(d)
	if there && !was.Cancelled() && d.Canceller.Cancel() {
		d.Queue.Interrupt(d)
	}
	return was
}

// FinalizeAgainLocked makes the queue finalize n once more, for which this machine had no room, unless
// older content of n is queued: then that does it. The rows do not record this; the next mount moves
// the content to failed/. Mu must be held.
func (s *Tree) FinalizeAgainLocked(n *tree.Node) {
	if n.Delivery == nil {
		s.addDeliveryLocked(n, 0)
		n.Delivery.Queue.Offer(n.Delivery)
	}
}

// Operations are the names of requests in reports.
var Operations = map[inode.FileKind]string{inode.File: "upload", inode.Directory: "mkdir"}

// SetQueuedLocked adds n to the queue or removes it; Mu must be held. The caller sets the
// state of a file that it adds.
func (s *Tree) SetQueuedLocked(n *tree.Node, queued bool) {
	if !queued {
		if n.Queued() {
			n.Own().CancelledAt = s.SaveLocked(n)
			n.On(tree.Cancelled)
			if n.Kind == inode.Directory {
				n.On(tree.Reverted) // a directory has no content that could be dirty
			}
		}
		if n.Delivery != nil {
			n.Delivery.Queue.Drop(n.Delivery)
			n.Own().Delivery = nil
		}
		s.dropCopyLocked(n)
		return
	}
	if n.Kind == inode.Directory {
		n.On(tree.Enqueued)
	}
	if n.Delivery == nil {
		linger := time.Duration(0)
		if n.Kind == inode.File && n.Size == 0 {
			linger = s.o.Linger
		}
		s.addDeliveryLocked(n, linger)
	}
	s.OfferLocked(n)
}

// addDeliveryLocked gives n an entry of the queue, which waits for at least linger; Mu must be held.
func (s *Tree) addDeliveryLocked(n *tree.Node, linger time.Duration) {
	queue := s.Outbox
	if n.PDF != nil {
		queue = s.PDFQueue
	}
	n.Own().Delivery = &tree.Delivery{Node: n, Queue: queue, Canceller: new(tree.Canceller)}
	queue.Add(n.Delivery, linger)
}

// OfferLocked offers n to the outbox if it can be sent now; Mu must be held. Otherwise n is
// offered again when the reason ends: at the release of the last writer, when its directory has
// been created, or after a rename.
func (s *Tree) OfferLocked(n *tree.Node) {
	s.RequeueParentLocked(n)
	if n.Sendable() {
		n.Delivery.Queue.Offer(n.Delivery)
	}
}

// RequeueParentLocked queues the directory of a queued node for creation if others deleted it
// at the service; Mu must be held.
func (s *Tree) RequeueParentLocked(n *tree.Node) {
	if in := n.Parent; n.Delivery != nil && in != nil && !in.Made() && !in.Queued() && !in.Local() {
		s.SetQueuedLocked(in, true)
		s.SaveLocked(in)
	}
}

// OfferChildrenLocked offers the entries of a directory that now exists at the service; Mu
// must be held.
func (s *Tree) OfferChildrenLocked(dir *tree.Node) {
	for _, n := range dir.Children {
		s.OfferLocked(n)
	}
}

// SetCopyLocked replaces the copy of n's content in the database, or removes it if copied is
// nil; Mu must be held. The caller must call SaveLocked.
func (s *Tree) SetCopyLocked(n *tree.Node, copied []byte) {
	s.dropCopyLocked(n)
	if copied != nil {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino, Content: copied})
		s.CopiedLocked(n)
	}
}

// CopiedLocked records that the database has, or will have, a copy of n's content; Mu must be held.
func (s *Tree) CopiedLocked(n *tree.Node) {
	n.Own().Copied = true
	s.copies++
}

// CopiesLocked is the number of such copies; Mu must be held.
func (s *Tree) CopiesLocked() int { return s.copies }

// dropCopyLocked removes the copy of n's content from the database; Mu must be held. The
// caller must call SaveLocked.
func (s *Tree) dropCopyLocked(n *tree.Node) {
	if n.Copied {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino})
		n.Own().Copied = false
		s.copies--
	}
}
