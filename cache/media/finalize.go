package media

import (
	"paperfs/cache/content/cause"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
)

// finalize moves n's content to its destination after the last release: the cache, failed/ or
// the queue. After an error the queue tries again.
func (s *Store) finalize(n *tree.Node) error {
	if s.lost() || s.closeQueuedSpool(n) {
		return nil
	}
	if !s.neverSent(n) {
		s.complete(n)
	}
	unlock := s.lockNode(n)
	defer unlock()
	return s.finalizeUnderNameLock(n)
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
func (s *Store) finalizeUnderNameLock(n *tree.Node) error {
	if s.lost() {
		return nil
	}
	b := n.Body()
	b.Mu.Lock()
	s.mu.Lock()
	if n.Handles > 0 {
		s.mu.Unlock()
		b.Mu.Unlock()
		return nil // opened again: that handle's release finalizes it
	}
	b.CloseSource()
	switch {
	case n.Parent == nil:
		s.mu.Unlock()
	case n.Local():
		s.mu.Unlock()
		if n.PDF == nil { // scratch keeps even torn content, but of that no PDF is made
			b.SetVerdict(tree.Verdict{})
		}
		if err := s.dropDequeuedBodyLocked(n); err != nil {
			s.o.Log.Error("cannot record that a file left the queue", "error", err)
		}
		if b.Spool != nil {
			b.Spool.Close()
		}
	case !n.Dirty() && (n.Pub.ID != 0 || n.IsPDF() && n.PDF.Paper != 0):
		n.Written = n.PDF != nil && n.Written
		pub := n.Pub
		s.mu.Unlock()
		b.SetVerdict(tree.Verdict{}) // the failed write never reached the store
		s.cacheSpoolBodyLocked(n, pub)
	case b.Verdict().Spoils(b.Gen):
		s.mu.Unlock()
		s.letGoBodyLocked(n, b.Verdict())
	case n.PDF != nil && (b.Spool == nil || b.Spool.Size == 0): // it creates nothing
		s.mu.Unlock()
		s.letGoBodyLocked(n, tree.Verdict{Reason: errEmptyPDF})
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
			return nil
		}
		if s.lost() {
			b.Mu.Unlock()
			return nil
		}
		if cause.IsLocal(err) && s.sound.Failure() == nil {
			s.mu.Lock()
			s.finalizeAgainLocked(n)
			s.mu.Unlock()
			b.Mu.Unlock()
			return err
		}
		s.letGoBodyLocked(n, tree.Verdict{Reason: err, Gen: b.Gen}) // after a failed sync nothing can be queued durably
	}
	b.Mu.Unlock()
	return s.dropApart(n)
}

// cacheSpoolBodyLocked moves a spool of n, which is published as pub, to the content cache, or drops it
// if the service's own file serves; Body.Mu must be held.
func (s *Store) cacheSpoolBodyLocked(n *tree.Node, pub tree.Version) {
	b := n.Body()
	sp := b.Spool
	if sp == nil {
		return
	}
	if n.PDF != nil {
		s.keepSentBodyLocked(n)
		return
	}
	b.Spool, b.Pending = nil, nil
	if sp.Frozen > 0 {
		return // dropped when it thaws
	}
	sp.Close()
	written, own := s.ownTime(pub)
	own = own && pub.SHA256.String() == b.Sum
	if sp.Size == 0 || b.Sum == "" || own {
		s.spools.Drop(sp)
		if own {
			s.openOwnBodyLocked(n, pub, written)
		}
		return
	}
	if err := s.contents.Adopt(sp.Path, b.Sum); err != nil {
		s.o.Log.Warn("cannot cache published content", "error", err)
	}
	s.spools.Give(sp, sp.Size)
}

// finalizeAgainLocked makes the queue finalize n once more, for which this machine had no room, unless
// older content of n is queued: then that does it. The rows do not record this; the next mount moves
// the content to failed/. s.mu must be held.
func (s *Store) finalizeAgainLocked(n *tree.Node) {
	if n.Delivery == nil {
		s.addDeliveryLocked(n, 0)
		n.Delivery.Queue.Offer(n.Delivery)
	}
}

// retryFinalize is the turn of such a delivery. last is the error of the previous attempt.
func (s *Store) retryFinalize(d *tree.Delivery, last error) {
	err := s.finalize(d.Node)
	outcome := outbox.Failed
	if err == nil {
		outcome = outbox.Interrupted // it left the queue, or is queued by now
	}
	s.mu.Lock()
	n := d.Node
	path, id := n.LastPath(), n.Pub.ID
	current := d.Queue.Ended(d, outcome, err)
	if n.Delivery == d {
		if err == nil && !n.Queued() {
			s.setQueuedLocked(n, false)
		}
		s.offerLocked(n)
	}
	s.mu.Unlock()
	if current && err != nil && (last == nil || last.Error() != err.Error()) {
		s.o.Report(operations[File], path, id, err)
	}
}
