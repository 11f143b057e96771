package media

import (
	"cmp"
	"errors"
	"math"

	"paperfs/cache/media/cause"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/tree"
)

// This file is about what becomes of what is queued and cannot be sent.

// anyGen is whatever generation is queued.
const anyGen = math.MaxUint64

// failFile moves the generation of a file whose delivery has failed to failed/,
// with the file's last handle where it is the content. Newer content that was
// queued since is sent. Where it fails nothing has changed.
func (s *Store) failFile(n *tree.Node, d *tree.Delivery, gen uint64, reason error) error {
	unlock := s.lockNode(n)
	defer unlock()
	if d == nil {
		s.failUnqueued(n, reason)
		return nil
	}
	over, err := s.failQueued(n, d, gen, reason)
	if over {
		s.finalizeHere(n)
	}
	return err
}

// failQueued is failFile of what is queued, whose name is locked. Content that
// could not be queued, and was written over since, leaves the queue: over tells
// that its close, or its last release, sees to the newer one.
func (s *Store) failQueued(n *tree.Node, d *tree.Delivery, gen uint64, reason error) (over bool, err error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	mine, open, unqueued := n.Delivery == d, n.Handles > 0, n.State() == tree.Stuck
	s.mu.RUnlock()
	newer := gen != anyGen && gen != b.Queued && !unqueued
	over = unqueued && gen < b.Gen
	switch {
	case !mine:
		return false, nil
	case newer:
		s.resume(d)
		return false, nil
	case over:
	case b.Pending != nil && !b.AllQueued():
		if err := s.setPendingAsideBodyLocked(n, reason); err != nil {
			return false, err
		}
	case open: // its release does it
		b.Fail = &tree.Failure{Gen: b.Gen, Err: reason}
		s.hardenRefusedBodyLocked(b)
	default:
		b.DropCached()
		return false, s.setAsideBodyLocked(n, reason)
	}
	s.mu.Lock()
	s.setQueuedLocked(n, false)
	s.mu.Unlock()
	return over, nil
}

// failUnqueued has the content of a file that is not queued go to failed/ with its
// last handle. Its name must be locked.
func (s *Store) failUnqueued(n *tree.Node, reason error) {
	b := n.Body()
	b.Mu.Lock()
	s.mu.RLock()
	mine := n.Delivery == nil
	s.mu.RUnlock()
	if mine {
		b.Fail = &tree.Failure{Gen: b.Gen, Err: reason}
	}
	b.Mu.Unlock()
	s.finalizeHere(n)
}

// resume has a delivery that was stopped sent on, if it is there still.
func (s *Store) resume(d *tree.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.Canceller, d.Fail = new(tree.Canceller), nil
	s.outbox.Resume(d)
	s.offerLocked(d.Node)
}

// failOrWait is failFile of a delivery that was refused. Where that fails, it stays
// in the queue, and is tried again instead of sending.
func (s *Store) failOrWait(d *tree.Delivery, fail *tree.Failure) {
	err := s.failFile(d.Node, d, fail.Gen, fail.Err)
	if err == nil {
		return
	}
	s.mu.Lock()
	d.Fail = fail
	s.outbox.Resume(d)
	s.outbox.Postpone(d, err, false)
	s.mu.Unlock()
}

// failAgain is what is sent of a delivery that failOrWait, or waitAsideBodyLocked, left in the
// queue; last is how the try before failed.
func (s *Store) failAgain(d *tree.Delivery, fail *tree.Failure, last error) {
	err := s.failFile(d.Node, d, fail.Gen, fail.Err)
	outcome := outbox.Failed
	if err == nil {
		outcome = outbox.Interrupted // it is gone, or has newer content
	}
	s.mu.Lock()
	n := d.Node
	path, id := n.Path(), n.Pub.ID
	ours := s.outbox.Ended(d, outcome, err)
	if n.Delivery == d {
		s.offerLocked(n)
	}
	s.mu.Unlock()
	if ours && err != nil && (last == nil || last.Error() != err.Error()) {
		s.o.Report(operations[File], path, id, err)
	}
}

// hardenRefusedBodyLocked makes the spool durable of what is about to leave the queue: the
// copy in the database goes with that, and may be all that the disk has. b.mu
// must be held.
func (s *Store) hardenRefusedBodyLocked(b *tree.Body) {
	if b.Pending == nil {
		return
	}
	if err := errors.Join(b.Pending.Open(), s.spools.Sync(b.Pending)); err != nil {
		s.o.Log.Error("content that was not published is not durable yet", "error", err)
	}
}

// failDir gives up on a queued directory: the files in it go to failed/, and
// it goes when nothing is left. What is open in it goes at its last close;
// until then the directory stays queued, unless the user gives up on it. With
// scratch in it, it stays here. The next file that is closed in it tries again.
// What could not be moved stays, with the directory: the first such failure is
// returned.
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
			err = cmp.Or(err, s.failFile(n, d, anyGen, reason))
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

var errDiscarded = errors.New("it was taken out of the queue before it was sent")
