package media

// This file holds what Options.WriteBack does instead of asking the service at
// once: a close makes the content durable here and queues it.

// queue has n's present content sent, once that it will be is durable.
func (s *Store) queue(n *node) error {
	b := n.body
	b.mu.Lock()
	upto, err := s.queueHere(n)
	if err != nil {
		b.fail = &failed{gen: b.gen, err: err}
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	return s.table.wait(upto)
}

// queueHere is queue for who holds b.mu of the node; it is durable when the
// table is at the number it returns. An empty file gets a spool, too: what is
// queued without one was sent, removed or set aside just before a crash.
func (s *Store) queueHere(n *node) (upto uint64, err error) {
	b := n.body
	if b.spool == nil {
		if b.spool, err = s.spools.create(n.ino); err != nil {
			return 0, err
		}
	}
	if err := b.spool.open(); err != nil {
		return 0, err
	}
	copied, err := s.hardenSpool(n)
	if err != nil {
		return 0, err
	}
	step("content synced")
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.local || n.parent == nil {
		return 0, nil
	}
	s.setCopy(n, copied)
	b.queued, b.fail = b.gen, nil
	n.written, n.dirty = true, true
	s.setQueued(n, true)
	return s.keep(n), nil
}

// leaveQueue takes n out of the queue since it is about to be written: a crash
// from here on must not have half of it sent. It reports whether n was there.
func (s *Store) leaveQueue(n *node) (was bool, err error) {
	s.mu.Lock()
	if was = n.queued; was {
		s.setQueued(n, false)
	}
	upto := n.left
	n.left = 0
	s.mu.Unlock()
	if upto == 0 {
		return was, nil
	}
	return was, s.table.wait(upto)
}

// rejoin puts n back into the queue that it left for a write which changed
// nothing.
func (s *Store) rejoin(n *node) {
	copied, err := s.hardenSpool(n)
	if err != nil {
		s.o.Log.Error("an upload is not queued durably", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.parent != nil && !n.local {
		s.setCopy(n, copied)
		s.setQueued(n, true)
		s.keep(n)
	}
}

// enqueue gives a scratch file its visible name, and has it sent.
func (m *move) enqueue() error {
	n := m.src
	n.body.mu.Lock()
	defer n.body.mu.Unlock()
	if err := n.body.spool.open(); err != nil {
		return err
	}
	copied, err := m.hardenSpool(n)
	if err != nil {
		return err
	}
	m.mu.Lock()
	replaced := m.commit()
	m.setCopy(n, copied)
	n.body.queued, n.body.fail = n.body.gen, nil
	n.written, n.dirty = true, true
	m.setQueued(n, true)
	upto := m.keep(n)
	idle := n.handles == 0
	m.mu.Unlock()
	if idle && n.body.spool.frozen == 0 {
		n.body.spool.close()
	}
	if replaced != nil {
		m.orphan(replaced)
	}
	return m.table.wait(upto)
}
