package media

import (
	"time"

	"paperfs/cache/media/tree"
)

// setQueuedLocked puts n among what waits to be sent, or takes it out; s.mu must be
// held. The state of a file that is put in is the caller's.
func (s *Store) setQueuedLocked(n *tree.Node, queued bool) {
	if !queued {
		if n.Queued() {
			n.Own().Left = s.keepLocked(n)
			n.On(tree.Cancelled)
			if n.Kind == Directory {
				n.On(tree.Reverted) // it has no content that could be dirty
			}
		}
		if n.Delivery != nil {
			s.outbox.Drop(n.Delivery)
			n.Own().Delivery = nil
		}
		s.dropCopyLocked(n)
		return
	}
	if n.Kind == Directory {
		n.On(tree.Enqueued)
	}
	if n.Delivery == nil {
		n.Own().Delivery = &tree.Delivery{Node: n, Canceller: new(tree.Canceller)}
		linger := time.Duration(0)
		if n.Kind == File && n.Size == 0 {
			linger = s.o.Linger
		}
		s.outbox.Add(n.Delivery, linger)
	}
	s.offerLocked(n)
}

// offerLocked offers n to the outbox if it can be sent now; s.mu must be held. What
// cannot is offered again by what changes that: the release of the last
// writer, the making of the directory it lies in, a rename.
func (s *Store) offerLocked(n *tree.Node) {
	s.remakeLocked(n)
	if n.Sendable() {
		s.outbox.Offer(n.Delivery)
	}
}

// remakeLocked has the directory that a queued node lies in made again where others
// deleted it at the service; s.mu must be held.
func (s *Store) remakeLocked(n *tree.Node) {
	if in := n.Parent; n.Delivery != nil && in != nil && !in.Made() && !in.Queued() && !in.Local() {
		s.setQueuedLocked(in, true)
		s.keepLocked(in)
	}
}

// ready reports whether what a delivery is of can be sent now.
func (s *Store) ready(d *tree.Delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Node.Delivery != d {
		return false
	}
	s.remakeLocked(d.Node)
	return d.Node.Sendable()
}

// arrivedLocked offers what waited for a directory to be made; s.mu must be held.
func (s *Store) arrivedLocked(dir *tree.Node) {
	for _, n := range dir.Children {
		s.offerLocked(n)
	}
}

// noteBarredLocked notes that the account is let in, or why it is not; s.mu must be held.
func (s *Store) noteBarredLocked(err error) {
	if err == nil || general(err) && barred(err) {
		s.barred = err
	}
}
