package media

// This file holds what Options.WriteBack does instead of asking the service at
// once: a close makes the content durable here and queues it.

// queue has n's present content sent, once that it will be is durable.
func (s *Store) queue(n *node) error {
	b := n.body()
	b.mu.Lock()
	upto, release, err := s.queueHere(n)
	if err != nil {
		b.fail = &failed{gen: b.gen, err: err}
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return s.table.wait(upto)
}

// queueHere is queue for who holds b.mu of the node; it is durable when the
// table is at number upto. Until then, and release, what was queued before is
// kept. An empty file gets a spool, too: what is queued without one was sent,
// removed or set aside just before a crash.
func (s *Store) queueHere(n *node) (upto uint64, release func(), err error) {
	b := n.body()
	if b.spool == nil {
		if b.spool, err = s.spools.create(n.ino); err != nil {
			return 0, nil, err
		}
	}
	if err := b.spool.open(); err != nil {
		return 0, nil, err
	}
	copied, err := s.hardenSpool(n)
	if err != nil {
		return 0, nil, err
	}
	step("content synced")
	release = s.retain(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.local() || n.parent == nil {
		return 0, release, nil
	}
	s.enqueueLocked(n, copied)
	return s.keepLocked(n), release, nil
}

// enqueue gives a scratch file its visible name, and has it sent.
func (m *move) enqueue() error {
	replaced, err := m.enqueueHere()
	if replaced != nil { // by what is durable
		m.orphan(replaced)
	}
	return err
}

// enqueueHere is enqueue without what becomes of the file that is replaced, whose
// body may come before that of src in the order of locks.
func (m *move) enqueueHere() (replaced *node, err error) {
	n := m.src
	n.body().mu.Lock()
	defer n.body().mu.Unlock()
	if err := n.body().spool.open(); err != nil {
		return nil, err
	}
	copied, err := m.hardenSpool(n)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	if err := m.stillLocked(n, queueing); err != nil {
		m.mu.Unlock()
		return nil, err
	}
	replaced = m.commitLocked()
	m.Store.enqueueLocked(n, copied)
	upto := m.keepLocked(n)
	idle := n.handles == 0
	m.mu.Unlock()
	if idle && n.body().spool.frozen == 0 {
		n.body().spool.close()
	}
	return replaced, m.table.wait(upto)
}
