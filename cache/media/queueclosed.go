package media

import "paperfs/cache/media/tree"

// What a close has queued stays as it is until a newer close replaces it, or
// the service has it: who writes the file again writes to another spool. The
// row of a queued file tells which of its spools is the queued one.

// enqueueLocked queues what is in the spool of n, with a copy of it, or nil where the
// spool is synced; b.mu of the node and s.mu must be held.
func (s *Store) enqueueLocked(n *tree.Node, copied []byte) {
	b := n.Body()
	s.setCopyLocked(n, copied)
	b.Closed, b.Queued, b.Fail = b.Spool, b.Gen, nil
	n.Written = true
	n.On(tree.Enqueued)
	s.setQueuedLocked(n, true)
	n.Delivery.Spool, n.Delivery.Size, n.Delivery.Fail = b.Spool.Serial, b.Spool.Size, nil
}

// letGo drops what was queued of n where it is not any more, and returns when
// that is durable: until then a crash would have its spool sent, which may be
// written to from here on. b.mu of the node must be held.
func (s *Store) letGo(n *tree.Node) error {
	s.mu.Lock()
	queued, upto := n.Queued(), n.Left
	if !queued && upto > 0 {
		n.Own().Left = 0
	}
	s.mu.Unlock()
	if queued {
		return nil
	}
	if upto > 0 {
		if err := s.journal.WaitSynced(upto); err != nil {
			return err
		}
	}
	n.Body().ForgetClosed(&s.spools)
	return nil
}

// showClosedLocked makes what is queued the content again; b.mu of the node and s.mu
// must be held, and nobody have it open.
func (s *Store) showClosedLocked(n *tree.Node) {
	b := n.Body()
	b.Spool = b.Closed
	b.Gen++
	b.Queued = b.Gen
	n.Own().Size, n.Written = b.Spool.Size, true
	n.On(tree.Restored)
	s.keepLocked(n)
	s.offerLocked(n)
}
