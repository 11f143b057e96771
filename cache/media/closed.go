package media

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
	n.delivery.spool, n.delivery.fail = b.spool.serial, nil
}

// retain keeps what is queued of n from being dropped until release, which
// takes b.mu of the node; that must be held.
func (s *Store) retain(n *node) (release func()) {
	b := n.body()
	if b.closed == nil {
		return func() {}
	}
	b.closed.frozen++
	return (&frozen{store: s, node: n, body: b, spool: b.closed}).thaw
}

// freezeClosed takes what is queued of n; nil where nothing is.
func (s *Store) freezeClosed(n *node) (*frozen, error) {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.RLock()
	queued := n.queued()
	s.mu.RUnlock()
	if !queued || b.closed == nil {
		return nil, nil
	}
	return s.freezeSpool(n, b.closed, b.queued)
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
func (b *body) dropUnused(s *Store, sp *spool) bool {
	if sp == nil || sp == b.spool || sp == b.closed || sp.frozen > 0 {
		return false
	}
	s.spools.drop(sp)
	return true
}

// showClosedLocked makes what is queued the content again; b.mu of the node and s.mu
// must be held, and nobody have it open.
func (s *Store) showClosedLocked(n *node) {
	b := n.body()
	b.spool = b.closed
	b.gen++
	b.queued = b.gen
	n.own().size, n.written = b.spool.size, true
	n.on(restored)
	s.keepLocked(n)
	s.offerLocked(n)
}

// setClosedAside moves what is queued of n to failed/, while it is being
// written again; b.mu of the node and its place must be held.
func (s *Store) setClosedAside(n *node, reason error) error {
	sp := n.body().closed
	s.mu.RLock()
	e := n.failedEntry(sp.size, reason)
	s.mu.RUnlock()
	err := s.moveToFailed(sp, e, true)
	if err == nil {
		n.body().closed = nil
	}
	return err
}
