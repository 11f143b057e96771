package handle

import (
	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// Finalize moves n's content to its destination after the last release: the cache, failed/ or
// the queue. After an error the queue tries again.
func (s *Handles) Finalize(n *tree.Node) error {
	if s.bodies.IsLost() || s.CloseQueuedSpool(n) {
		return nil
	}
	if !s.names.NeverSent(n) {
		s.bodies.Complete(n)
	}
	unlock := s.names.LockNode(n)
	defer unlock()
	return s.FinalizeUnderNameLock(n)
}

// CloseQueuedSpool closes the spool of n if all of n's content is queued, and reports whether
// it is. The content stays queued. The name is not locked, so no release waits for an upload in
// progress.
func (s *Handles) CloseQueuedSpool(n *tree.Node) bool {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.names.Mu.RLock()
	queued := n.Queued() && n.Parent != nil && b.AllQueued() && n.Dirty()
	idle := n.Handles == 0
	s.names.Mu.RUnlock()
	if queued && idle {
		b.CloseSource()
		if b.Spool != nil && b.Spool.Frozen == 0 {
			b.Spool.Close()
		}
	}
	return queued
}

// FinalizeUnderNameLock is finalize for callers that hold the lock of n's name.
func (s *Handles) FinalizeUnderNameLock(n *tree.Node) error {
	if s.bodies.IsLost() {
		return nil
	}
	b := n.Body()
	b.Mu.Lock()
	s.names.Mu.Lock()
	if n.Handles > 0 {
		s.names.Mu.Unlock()
		b.Mu.Unlock()
		return nil // opened again: that handle's release finalizes it
	}
	b.CloseSource()
	switch {
	case n.Parent == nil:
		s.names.Mu.Unlock()
	case n.Local():
		s.names.Mu.Unlock()
		if n.PDF == nil { // scratch keeps even torn content, but of that no PDF is made
			b.SetVerdict(tree.Verdict{})
		}
		if err := s.bodies.DropDequeuedBodyLocked(n); err != nil {
			s.o.Log.Error("cannot record that a file left the queue", "error", err)
		}
		if b.Spool != nil {
			b.Spool.Close()
		}
	case !n.Dirty() && (n.Pub.ID != 0 || n.IsPDF() && n.PDF.Paper != 0):
		n.Written = n.PDF != nil && n.Written
		pub := n.Pub
		s.names.Mu.Unlock()
		b.SetVerdict(tree.Verdict{}) // the failed write never reached the store
		s.cacheSpoolBodyLocked(n, pub)
	case b.Verdict().Spoils(b.Gen):
		s.names.Mu.Unlock()
		s.bodies.DetachBodyLocked(n, b.Verdict())
	case n.PDF != nil && (b.Spool == nil || b.Spool.Size == 0): // it creates nothing
		s.names.Mu.Unlock()
		s.bodies.DetachBodyLocked(n, tree.Verdict{Reason: names.ErrEmptyPDF})
	default:
		s.names.Mu.Unlock()
		if stays, err := s.enqueueBodyLocked(n); stays {
			return err
		}
	}
	b.Mu.Unlock()
	return s.bodies.DropOrphan(n)
}

// enqueueBodyLocked queues content that no close has sent, and reports whether it stays under its name: then it has unlocked
// Body.Mu, which must be held. An error says that the queue has to try again.
func (s *Handles) enqueueBodyLocked(n *tree.Node) (stays bool, err error) {
	b := n.Body()
	upto, release, err := s.uploads.QueueBodyLocked(n)
	switch {
	case err == nil:
		b.Spool.Close()
		b.Mu.Unlock()
		if err := s.names.Journal.WaitSynced(upto); err != nil {
			s.o.Log.Error("cannot sync the queue entry of an upload", "error", err)
		}
		release()
		return true, nil
	case s.bodies.IsLost():
		b.Mu.Unlock()
		return true, nil
	case cause.IsLocal(err) && s.bodies.Sound.Failure() == nil:
		s.names.Mu.Lock()
		s.names.FinalizeAgainLocked(n)
		s.names.Mu.Unlock()
		b.Mu.Unlock()
		return true, err
	}
	s.bodies.DetachBodyLocked(n, tree.Verdict{Reason: err, Gen: b.Gen}) // after a failed sync nothing can be queued durably
	return false, nil
}

// cacheSpoolBodyLocked moves a spool of n, which is published as pub, to the content cache, or drops it
// if the service's own file serves; Body.Mu must be held.
func (s *Handles) cacheSpoolBodyLocked(n *tree.Node, pub tree.Version) {
	b := n.Body()
	sp := b.Spool
	if sp == nil {
		return
	}
	if n.PDF != nil {
		s.bodies.KeepSentBodyLocked(n)
		return
	}
	b.Spool, b.Pending = nil, nil
	if sp.Frozen > 0 {
		return // dropped when it thaws
	}
	sp.Close()
	written, own := s.bodies.OwnTime(pub)
	own = own && pub.SHA256.String() == b.Sum
	if sp.Size == 0 || b.Sum == "" || own {
		s.bodies.Spools.Drop(sp)
		if own {
			s.bodies.OpenOwnBodyLocked(n, pub, written)
		}
		return
	}
	if err := s.bodies.Contents.Adopt(sp.Path, b.Sum); err != nil {
		s.o.Log.Warn("cannot cache published content", "error", err)
	}
	s.bodies.Spools.Give(sp, sp.Size)
}

// RetryFinalize is the turn of such a delivery. last is the error of the previous attempt.
func (s *Handles) RetryFinalize(d *tree.Delivery, last error) {
	err := s.Finalize(s.bodies.NodeOf(d))
	outcome := outbox.Failed
	if err == nil {
		outcome = outbox.Interrupted // it left the queue, or is queued by now
	}
	s.names.Mu.Lock()
	n := d.Node
	path, id := n.LastPath(), n.Pub.ID
	current := d.Queue.Ended(d, outcome, err)
	if n.Delivery == d {
		if err == nil && !n.Queued() {
			s.names.SetQueuedLocked(n, false)
		}
		s.names.OfferLocked(n)
	}
	s.names.Mu.Unlock()
	if current && err != nil && (last == nil || last.Error() != err.Error()) {
		s.o.Report(names.Operations[inode.File], path, id, err)
	}
}
