package media

import (
	"time"
)

// setQueuedLocked puts n among what waits to be sent, or takes it out; s.mu must be
// held. The state of a file that is put in is the caller's.
func (s *Store) setQueuedLocked(n *node, queued bool) {
	if !queued {
		if n.queued() {
			n.own().left = s.keepLocked(n)
			n.on(cancelled)
			if n.kind == Directory {
				n.on(reverted) // it has no content that could be dirty
			}
		}
		if n.delivery != nil {
			s.outbox.Drop(n.delivery)
			n.own().delivery = nil
		}
		s.dropCopyLocked(n)
		return
	}
	if n.kind == Directory {
		n.on(enqueued)
	}
	if n.delivery == nil {
		n.own().delivery = &delivery{node: n, canceller: new(canceller)}
		linger := time.Duration(0)
		if n.kind == File && n.size == 0 {
			linger = s.o.Linger
		}
		s.outbox.Add(n.delivery, linger)
	}
	s.offerLocked(n)
}

// offerLocked offers n to the outbox if it can be sent now; s.mu must be held. What
// cannot is offered again by what changes that: the release of the last
// writer, the making of the directory it lies in, a rename.
func (s *Store) offerLocked(n *node) {
	s.remakeLocked(n)
	if n.sendable() {
		s.outbox.Offer(n.delivery)
	}
}

// remakeLocked has the directory that a queued node lies in made again where others
// deleted it at the service; s.mu must be held.
func (s *Store) remakeLocked(n *node) {
	if in := n.parent; n.delivery != nil && in != nil && !in.made() && !in.queued() && !in.local() {
		s.setQueuedLocked(in, true)
		s.keepLocked(in)
	}
}

// ready reports whether what a delivery is of can be sent now.
func (s *Store) ready(d *delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.node.delivery != d {
		return false
	}
	s.remakeLocked(d.node)
	return d.node.sendable()
}

// sendable reports whether a queued node can be sent, as far as it is the node's;
// Store.mu must be held.
func (n *node) sendable() bool {
	return n.delivery != nil && n.writers == 0 && n.parent != nil && n.parent.made()
}

// arrivedLocked offers what waited for a directory to be made; s.mu must be held.
func (s *Store) arrivedLocked(dir *node) {
	for _, n := range dir.children {
		s.offerLocked(n)
	}
}

// noteBarredLocked notes that the account is let in, or why it is not; s.mu must be held.
func (s *Store) noteBarredLocked(err error) {
	if err == nil || general(err) && barred(err) {
		s.barred = err
	}
}
