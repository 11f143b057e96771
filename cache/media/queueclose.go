package media

import (
	"paperfs/cache/media/crash"
	"paperfs/cache/media/tree"
)

// This file is about what Options.WriteBack does instead of asking the service at
// once: a close makes the content durable here and queues it.

// queue has n's present content sent, once that it will be is durable.
func (s *Store) queue(n *tree.Node) error {
	b := n.Body()
	b.Mu.Lock()
	upto, release, err := s.queueHere(n)
	if err != nil {
		b.Fail = &tree.Failure{Gen: b.Gen, Err: err}
	}
	b.Mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return s.journal.WaitSynced(upto)
}

// queueHere is queue for who holds b.mu of the node; it is durable when the
// table is at number upto. Until then, and release, what was queued before is
// kept. An empty file gets a spool, too: what is queued without one was sent,
// removed or set aside just before a crash.
func (s *Store) queueHere(n *tree.Node) (upto uint64, release func(), err error) {
	b := n.Body()
	if b.Spool == nil {
		if b.Spool, err = s.spools.Create(n.Ino); err != nil {
			return 0, nil, err
		}
	}
	if err := b.Spool.Open(); err != nil {
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
	if n.Local() || n.Parent == nil {
		return 0, release, nil
	}
	s.enqueueLocked(n, copied)
	return s.keepLocked(n), release, nil
}
