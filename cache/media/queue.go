package media

import (
	"context"

	"paperfs/remote"
)

// enqueue has n sent by the sender, once that is durable.
func (s *Store) enqueue(n *node, upto uint64) {
	if err := s.table.wait(upto); err != nil {
		s.o.Log.Error("an upload is queued, but not durably", "error", err)
	}
	signal(s.send)
}

// sendQueued sends what is queued until the store is closed.
func (s *Store) sendQueued() {
	ctx := remote.Background(s.base)
	for {
		for n := s.nextQueued(); n != nil; n = s.nextQueued() {
			if s.isClosed() {
				return
			}
			s.sendOne(ctx, n)
		}
		select {
		case <-s.send:
		case <-s.quit:
			return
		}
	}
}

// nextQueued is the oldest inode that waits to be sent, nil when none does.
func (s *Store) nextQueued() *node {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var first *node
	for _, n := range s.queued {
		if first == nil || n.ino < first.ino {
			first = n
		}
	}
	return first
}

// sendOne publishes a queued file; one that fails goes to failed/. A file that
// is open again leaves the queue: its last release decides anew.
func (s *Store) sendOne(ctx context.Context, n *node) {
	s.mu.Lock()
	path, id, open := n.path(), n.pub.id, n.handles > 0
	if open {
		s.setQueued(n, false)
	}
	s.mu.Unlock()
	if open {
		return
	}
	err := s.publish(ctx, n, true)
	s.mu.Lock()
	s.setQueued(n, false)
	s.mu.Unlock()
	if err != nil {
		s.o.Report("upload", path, id, err)
	}
	if !s.inUse(n) {
		s.settle(n)
	}
}

func (s *Store) isClosed() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}
