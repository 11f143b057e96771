package media

import (
	"paperfs/cache/content/cause"
	"paperfs/cache/content/tree"
)

// finalize moves n's content to its destination after the last release: the cache, failed/ or
// the queue.
func (s *Store) finalize(n *tree.Node) {
	if s.closeQueuedSpool(n) {
		return
	}
	unlock := s.lockNode(n)
	defer unlock()
	s.finalizeUnderNameLock(n)
}

// closeQueuedSpool closes the spool of n if all of n's content is queued, and reports whether
// it is. The content stays queued. The name is not locked, so no release waits for an upload in
// progress.
func (s *Store) closeQueuedSpool(n *tree.Node) bool {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	queued := n.Queued() && n.Parent != nil && b.AllQueued() && n.Dirty()
	idle := n.Handles == 0
	s.mu.RUnlock()
	if queued && idle {
		b.CloseSource()
		if b.Spool != nil && b.Spool.Frozen == 0 {
			b.Spool.Close()
		}
	}
	return queued
}

// finalizeUnderNameLock is finalize for callers that hold the lock of n's name.
func (s *Store) finalizeUnderNameLock(n *tree.Node) {
	b := n.Body()
	b.Mu.Lock()
	s.mu.Lock()
	if n.Handles > 0 {
		s.mu.Unlock()
		b.Mu.Unlock()
		return // opened again: that handle's release finalizes it
	}
	b.CloseSource()
	switch {
	case n.Parent == nil:
		s.mu.Unlock()
	case n.Local():
		s.mu.Unlock()
		b.Verdict = tree.Verdict{} // scratch keeps even torn content
		if err := s.dropDequeuedBodyLocked(n); err != nil {
			s.o.Log.Error("cannot record that a file left the queue", "error", err)
		}
		if b.Spool != nil {
			b.Spool.Close()
		}
	case !n.Dirty() && n.Pub.ID != 0:
		n.Written = false
		pub := n.Pub
		s.mu.Unlock()
		b.Verdict = tree.Verdict{} // the failed write never reached the store
		s.cacheSpoolBodyLocked(n, pub)
	case b.Verdict.Spoils(b.Gen):
		s.mu.Unlock()
		s.letGoBodyLocked(n, b.Verdict)
	default:
		s.mu.Unlock()
		upto, release, err := s.queueBodyLocked(n)
		if err == nil {
			b.Spool.Close()
			b.Mu.Unlock()
			if err := s.journal.WaitSynced(upto); err != nil {
				s.o.Log.Error("cannot sync the queue entry of an upload", "error", err)
			}
			release()
			return
		}
		if cause.IsLocal(err) && s.sound.Failure() == nil {
			s.retryCloseBodyLocked(n)
		} else { // after a failed sync nothing can be queued durably any more
			s.letGoBodyLocked(n, tree.Verdict{Reason: err, Gen: b.Gen})
		}
	}
	b.Mu.Unlock()
	_ = s.dropApart(n) // it is tried again
}

// cacheSpoolBodyLocked moves a spool of n, which is published as pub, to the content cache, or drops it
// if the service's own file serves; Body.Mu must be held.
func (s *Store) cacheSpoolBodyLocked(n *tree.Node, pub tree.Version) {
	b := n.Body()
	sp := b.Spool
	if sp == nil {
		return
	}
	b.Spool, b.Pending = nil, nil
	if sp.Frozen > 0 {
		return // dropped when it thaws
	}
	sp.Close()
	if sp.Size == 0 || b.Sum == "" || s.foundOwnBodyLocked(n, pub) {
		s.spools.Drop(sp)
		return
	}
	if err := s.contents.Adopt(sp.Path, b.Sum); err != nil {
		s.o.Log.Warn("cannot cache published content", "error", err)
	}
	s.spools.Give(sp, sp.Size)
}

// retryCloseBodyLocked keeps n in the queue to try again to queue its content, for which its last
// close found no room. The rows do not record this; the next mount moves the content to failed/. If
// older content is queued, this happens after that is sent. Body.Mu must be held.
func (s *Store) retryCloseBodyLocked(n *tree.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Queued() || n.Parent == nil { // if others removed its name, finalize handles it
		return
	}
	n.On(tree.Waited)
	s.setQueuedLocked(n, true)
}
