package media

import (
	"cmp"
	"errors"
	"math"

	"paperfs/cache/media/cause"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/tree"
)

// This file handles queued content that cannot be sent.

// anyGen stands for whatever generation is queued.
const anyGen = math.MaxUint64

// failFile moves the judged generation of a file, whose delivery failed, to failed/. If that content
// is still open, its last release does it. If newer content was queued in the meantime, that is
// sent. On an error nothing has changed.
func (s *Store) failFile(n *tree.Node, d *tree.Delivery, why tree.Verdict) error {
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.RLock()
	strayed := n.State() == tree.Strayed
	s.mu.RUnlock()
	if strayed {
		return s.dropRemoved(n)
	}
	if d == nil {
		s.failUnqueued(n, why.Reason)
		return nil
	}
	over, err := s.failQueued(n, d, why)
	if over {
		s.finalizeUnderNameLock(n)
	}
	return err
}

// failQueued is failFile for queued content; the name must be locked. If the content could not
// be queued and has been overwritten since, the file leaves the queue. over then says that the
// next close or the last release handles the newer content.
func (s *Store) failQueued(n *tree.Node, d *tree.Delivery, why tree.Verdict) (over bool, err error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	current, open, unqueued := n.Delivery == d, n.Handles > 0, n.State() == tree.Stuck
	s.mu.RUnlock()
	newer := why.Gen != anyGen && why.Gen != b.Queued && !unqueued
	over = unqueued && why.Gen < b.Gen
	switch {
	case !current:
		return false, nil
	case newer:
		s.resume(d)
		return false, nil
	case over:
	case b.Pending != nil && !b.AllQueued():
		if err := s.failPendingBodyLocked(n, why); err != nil {
			return false, err
		}
	case open: // the last release moves it
		b.Judge(b.Gen, why.Reason)
		s.hardenRefusedBodyLocked(b)
	default:
		b.DropCached()
		return false, s.failContentBodyLocked(n, why)
	}
	s.mu.Lock()
	s.setQueuedLocked(n, false)
	s.mu.Unlock()
	return over, nil
}

// failUnqueued moves the content of a file that is not queued to failed/, at its last release.
// The name must be locked.
func (s *Store) failUnqueued(n *tree.Node, reason error) {
	b := n.Body()
	b.Mu.Lock()
	s.mu.RLock()
	current := n.Delivery == nil
	s.mu.RUnlock()
	if current {
		b.Judge(b.Gen, reason)
	}
	b.Mu.Unlock()
	s.finalizeUnderNameLock(n)
}

// resume continues sending a delivery that was stopped, if it is still queued.
func (s *Store) resume(d *tree.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.Canceller, d.Verdict = new(tree.Canceller), tree.Verdict{}
	s.outbox.Resume(d)
	s.offerLocked(d.Node)
}

// failOrRequeue is failFile for a refused delivery. If it fails, the delivery stays in the queue,
// and the next attempt repeats failFile instead of sending.
func (s *Store) failOrRequeue(d *tree.Delivery, why tree.Verdict) {
	err := s.failFile(s.nodeOf(d), d, why)
	if err == nil {
		return
	}
	s.mu.Lock()
	d.Verdict = why
	s.outbox.Resume(d)
	s.outbox.Postpone(d, err, false)
	s.mu.Unlock()
}

// retryMoveToFailed repeats failFile for a delivery that failOrRequeue or retryCloseBodyLocked
// left in the queue. last is the error of the previous attempt.
func (s *Store) retryMoveToFailed(d *tree.Delivery, why tree.Verdict, last error) {
	err := s.failFile(s.nodeOf(d), d, why)
	outcome := outbox.Failed
	if err == nil {
		outcome = outbox.Interrupted // it left the queue, or has newer content
	}
	s.mu.Lock()
	n := d.Node
	path, id := n.LastPath(), n.Pub.ID
	current := s.outbox.Ended(d, outcome, err)
	if n.Delivery == d {
		s.offerLocked(n)
	}
	s.mu.Unlock()
	if current && err != nil && (last == nil || last.Error() != err.Error()) {
		s.o.Report(operations[File], path, id, err)
	}
}

// hardenRefusedBodyLocked syncs the spool of content that is about to leave the queue: its copy
// in the database is removed with it, and may be the only durable one. b.Mu must be held.
func (s *Store) hardenRefusedBodyLocked(b *tree.Body) {
	if b.Pending == nil {
		return
	}
	if err := errors.Join(b.Pending.Open(), s.spools.Sync(b.Pending)); err != nil {
		s.o.Log.Error("content that was not published is not durable yet", "error", err)
	}
}

// failDir gives up on a queued directory: it moves the files in it to failed/, and removes the
// directory once it is empty. Open files move at their last release; until then the directory
// stays queued, unless the user discarded it. A directory with scratch in it stays, but is no
// longer queued; the next close of a file in it queues it again. It returns the first error of
// moving a file, which stays with its directory.
func (s *Store) failDir(dir *tree.Node, reason error) (err error) {
	s.mu.RLock()
	children := make(map[*tree.Node]*tree.Delivery, len(dir.Children))
	for _, n := range dir.Children {
		children[n] = n.Delivery
	}
	s.mu.RUnlock()
	for n, d := range children {
		switch {
		case n.Local():
		case n.Kind == Directory:
			err = cmp.Or(err, s.failDir(n, reason))
		default:
			err = cmp.Or(err, s.failFile(n, d, tree.Verdict{Reason: reason, Gen: anyGen}))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir.Parent == nil || dir.Local() { // removed, or scratch since
		return nil
	}
	open := false
	for _, n := range dir.Children {
		open = open || !n.Local()
	}
	switch {
	case open && (reason != errDiscarded || err != nil):
		s.setQueuedLocked(dir, true)
		s.outbox.Resume(dir.Delivery)
		s.noteBarredLocked(reason)
		s.outbox.Postpone(dir.Delivery, reason, cause.General(reason))
	case len(dir.Children) > 0:
		s.setQueuedLocked(dir, false)
		s.saveLocked(dir)
	default:
		s.changes.add(Changed{Dir: dir.Parent.Ino, Entries: []string{dir.Name}})
		s.unlinkLocked(dir)
	}
	return err
}

var errDiscarded = errors.New("it was removed from the queue before it was sent")
