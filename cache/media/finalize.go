package media

import (
	"errors"

	"paperfs/cache/media/cause"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
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
		b.DropCached()
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
	b.DropCached()
	switch {
	case n.Parent == nil:
		s.mu.Unlock()
		b.Mu.Unlock()
		_ = s.dropRemoved(n) // it is tried again
		return
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
		s.mu.Unlock()
		b.Verdict = tree.Verdict{} // the failed write never reached the store
		s.cacheSpoolBodyLocked(b)
	case b.Verdict.Spoils(b.Gen):
		s.mu.Unlock()
		if b.Verdict.Worthless() && !b.AllQueued() {
			sidecars := s.detachSidecars(n)
			b.Discard(&s.spools)
			b.Sent = b.Gen
			s.revertBodyLocked(n)
			sidecars.moveToFailed()
		} else if why := b.Verdict; s.failContentBodyLocked(n, why) != nil {
			why.Gen = b.Gen
			s.retryCloseBodyLocked(n, why)
		}
	default:
		s.mu.Unlock()
		upto, release, err := s.queueBodyLocked(n)
		if err != nil {
			s.handleQueueErrorBodyLocked(n, err)
			break
		}
		b.Spool.Close()
		b.Mu.Unlock()
		if err := s.journal.WaitSynced(upto); err != nil {
			s.o.Log.Error("cannot sync the queue entry of an upload", "error", err)
		}
		release()
		return
	}
	b.Mu.Unlock()
}

// handleQueueErrorBodyLocked handles content that could not be queued, because of err; Body.Mu must
// be held. If the failure is local it retries later, else it moves the content to failed/.
// After a failed sync nothing can be queued durably any more, so the content goes to failed/,
// too.
func (s *Store) handleQueueErrorBodyLocked(n *tree.Node, err error) {
	b := n.Body()
	if cause.IsLocal(err) && s.sound.Failure() == nil {
		s.retryCloseBodyLocked(n, tree.Verdict{})
	} else if why := (tree.Verdict{Reason: err, Gen: b.Gen}); s.failContentBodyLocked(n, why) != nil {
		s.retryCloseBodyLocked(n, why)
	}
}

// cacheSpoolBodyLocked moves a published spool to the content cache; b.Mu must be held.
func (s *Store) cacheSpoolBodyLocked(b *tree.Body) {
	sp := b.Spool
	if sp == nil {
		return
	}
	b.Spool, b.Pending = nil, nil
	if sp.Frozen > 0 {
		return // dropped when it thaws
	}
	sp.Close()
	if sp.Size == 0 || b.Sum == "" {
		s.spools.Drop(sp)
		return
	}
	if err := s.contents.Adopt(sp.Path, b.Sum); err != nil {
		s.o.Log.Warn("cannot cache published content", "error", err)
	}
	s.spools.Give(sp, sp.Size)
}

// failContentBodyLocked moves content that could not be published to failed/, and shows the queued
// content again, or else the service's version or nothing. Body.Mu must be held since the last
// handle was found to be released, so that nobody opens a file that is about to lose its name.
func (s *Store) failContentBodyLocked(n *tree.Node, why tree.Verdict) error {
	b := n.Body()
	s.mu.RLock()
	e := failed.EntryOf(n, n.Size, why)
	s.mu.RUnlock()
	sp := b.Spool
	if sp == nil {
		var err error
		if sp, err = s.spools.Create(0); err != nil {
			return err
		}
	}
	sidecars := s.detachSidecars(n)
	if err := s.moveToFailedBodyLocked(sp, e, b.Queued == b.Gen); err != nil {
		b.Spool = sp
		sidecars.reattach()
		return err
	}
	if b.Pending == sp {
		b.Pending = nil
	}
	b.Spool, b.Verdict = nil, tree.Verdict{}
	b.Sent = b.Gen
	s.revertBodyLocked(n)
	sidecars.moveToFailed()
	return nil
}

// moveToFailedBodyLocked turns a spool into an entry of failed/. promised says that a close
// reported the content as durable. Body.Mu of its node must be held.
func (s *Store) moveToFailedBodyLocked(sp *spool.File, e failed.Entry, promised bool) error {
	if promised {
		if err := errors.Join(sp.Open(), s.spools.Sync(sp)); err != nil {
			s.o.Log.Error("content that was not published is not durable yet", "path", e.Path, "error", err)
		}
	}
	sp.Close()
	err := s.failures.Add(sp.Path, e)
	if err != nil {
		s.o.Log.Error("content that was not published stays in the spool", "path", e.Path, "error", err)
	}
	return err
}

// revertBodyLocked discards what was written locally and shows the queued content of n, or else
// the service's version; Body.Mu must be held.
func (s *Store) revertBodyLocked(n *tree.Node) {
	s.mu.Lock()
	if n.Parent == nil { // a GetTree removed the name in the meantime
		if n.State() == tree.Strayed {
			n.On(tree.Failed)
		}
		s.mu.Unlock()
		return
	}
	name := n.Name
	change := Changed{Dir: n.Parent.Ino}
	switch {
	case n.Queued() && n.Body().Pending != nil:
		change.Contents = []string{name}
		s.showPendingLocked(n)
	case n.Pub.ID == 0:
		change.Entries = []string{name}
		s.unlinkLocked(n)
	default:
		change.Contents = []string{name}
		n.Written = false
		s.setQueuedLocked(n, false)
		n.On(tree.Reverted)
		n.Mtime = n.Pub.ModTime
		s.saveLocked(n)
	}
	s.mu.Unlock()
	s.changes.add(change)
}

// failPendingBodyLocked moves the queued content of n to failed/ while newer content is
// being written. Body.Mu and the lock of n's name must be held.
func (s *Store) failPendingBodyLocked(n *tree.Node, why tree.Verdict) error {
	sp := n.Body().Pending
	s.mu.RLock()
	e := failed.EntryOf(n, sp.Size, why)
	s.mu.RUnlock()
	err := s.moveToFailedBodyLocked(sp, e, true)
	if err == nil {
		n.Body().Pending = nil
	}
	return err
}

// retryCloseBodyLocked keeps n in the queue to retry what failed at its last close: moving its
// content to failed/ or, if why is whole, queueing it. The rows do not record this; the next
// mount moves the content to failed/. If older content is queued, this happens after that is
// sent. Body.Mu must be held.
func (s *Store) retryCloseBodyLocked(n *tree.Node, why tree.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Queued() || n.Parent == nil { // if others removed its name, finalize handles it
		return
	}
	n.On(tree.Waited)
	s.setQueuedLocked(n, true)
	n.Delivery.Verdict = why
}
