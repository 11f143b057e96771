package media

import "paperfs/cache/media/crash"

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
		if b.spool, err = s.spools.Create(n.ino); err != nil {
			return 0, nil, err
		}
	}
	if err := b.spool.Open(); err != nil {
		return 0, nil, err
	}
	copied, err := s.hardenSpool(n)
	if err != nil {
		return 0, nil, err
	}
	crash.At("content synced")
	release = s.retain(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.local() || n.parent == nil {
		return 0, release, nil
	}
	s.enqueueLocked(n, copied)
	return s.keepLocked(n), release, nil
}
