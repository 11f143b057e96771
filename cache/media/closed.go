package media

import "paperfs/cache/media/spool"

// What a close has queued stays as it is until a newer close replaces it, or
// the service has it: who writes the file again writes to another spool. The
// row of a queued file tells which of its spools is the queued one.

// allQueued reports whether what is there is what is queued; b.mu must be held.
func (b *body) allQueued() bool { return b.closed != nil && b.closed == b.spool }

// enqueueLocked queues what n's spool holds, with a copy of it, or nil where the
// spool is synced; b.mu of the node and s.mu must be held.
func (s *Store) enqueueLocked(n *node, copied []byte) {
	b := n.body()
	s.setCopyLocked(n, copied)
	b.closed, b.queued, b.fail = b.spool, b.gen, nil
	n.written = true
	n.on(enqueued)
	s.setQueuedLocked(n, true)
	n.delivery.spool, n.delivery.fail = b.spool.Serial, nil
}

// letGo drops what was queued of n where it is not any more, and returns when
// that is durable: until then a crash would have its spool sent, which may be
// written to from here on. b.mu of the node must be held.
func (s *Store) letGo(n *node) error {
	s.mu.Lock()
	queued, upto := n.queued(), n.left
	if !queued && upto > 0 {
		n.own().left = 0
	}
	s.mu.Unlock()
	if queued {
		return nil
	}
	if upto > 0 {
		if err := s.table.wait(upto); err != nil {
			return err
		}
	}
	n.body().forgetClosed(s)
	return nil
}

// forgetClosed drops what was queued; b.mu must be held.
func (b *body) forgetClosed(s *Store) {
	sp := b.closed
	b.closed = nil
	b.dropUnused(s, sp)
}

// dropUnused drops a spool, if that is not nil, once it is neither the content,
// nor queued, nor read by an upload, and reports whether it did; b.mu must be
// held.
func (b *body) dropUnused(s *Store, sp *spool.File) bool {
	if sp == nil || sp == b.spool || sp == b.closed || sp.Frozen > 0 {
		return false
	}
	s.spools.Drop(sp)
	return true
}

// showClosedLocked makes what is queued the content again; b.mu of the node and s.mu
// must be held, and nobody have it open.
func (s *Store) showClosedLocked(n *node) {
	b := n.body()
	b.spool = b.closed
	b.gen++
	b.queued = b.gen
	n.own().size, n.written = b.spool.Size, true
	n.on(restored)
	s.keepLocked(n)
	s.offerLocked(n)
}

// discard drops the spool, unless that is what is queued; b.mu must be held.
func (b *body) discard(s *Store) {
	sp := b.spool
	b.spool, b.torn = nil, nil
	b.dropUnused(s, sp)
}
