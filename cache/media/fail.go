package media

import (
	"cmp"
	"errors"
	"math"

	"paperfs/cache/media/outbox"
)

// This file holds what becomes of what is queued and cannot be sent.

// anyGen is whatever generation is queued.
const anyGen = math.MaxUint64

// failFile moves the generation of a file whose delivery has failed to failed/,
// with the file's last handle where it is the content. Newer content that was
// queued meanwhile is sent. Where it fails nothing has changed.
func (s *Store) failFile(n *node, d *delivery, gen uint64, reason error) error {
	unlock := s.lockNode(n)
	defer unlock()
	if d == nil {
		s.failUnqueued(n, reason)
		return nil
	}
	over, err := s.failQueued(n, d, gen, reason)
	if over {
		s.settleHere(n)
	}
	return err
}

// failQueued is failFile of what is queued, whose place is locked. Content that
// could not be queued, and was written over since, leaves the queue: over tells
// that its close, or its last release, sees to the newer one.
func (s *Store) failQueued(n *node, d *delivery, gen uint64, reason error) (over bool, err error) {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.RLock()
	mine, open, unqueued := n.delivery == d, n.handles > 0, n.state == stuck
	s.mu.RUnlock()
	newer := gen != anyGen && gen != b.queued && !unqueued
	over = unqueued && gen < b.gen
	switch {
	case !mine:
		return false, nil
	case newer:
		s.resume(d)
		return false, nil
	case over:
	case b.closed != nil && !b.allQueued():
		if err := s.setClosedAside(n, reason); err != nil {
			return false, err
		}
	case open: // its release does it
		b.fail = &failed{gen: b.gen, err: reason}
		s.hardenRefused(b)
	default:
		b.dropHeld()
		return false, s.setAside(n, reason)
	}
	s.mu.Lock()
	s.setQueuedLocked(n, false)
	s.mu.Unlock()
	return over, nil
}

// failUnqueued has the content of a file that is not queued go to failed/ with its
// last handle. Its place must be locked.
func (s *Store) failUnqueued(n *node, reason error) {
	b := n.body()
	b.mu.Lock()
	s.mu.RLock()
	mine := n.delivery == nil
	s.mu.RUnlock()
	if mine {
		b.fail = &failed{gen: b.gen, err: reason}
	}
	b.mu.Unlock()
	s.settleHere(n)
}

// resume has a delivery that was stopped sent on, if it is there still.
func (s *Store) resume(d *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.canceller, d.fail = new(canceller), nil
	s.outbox.Resume(d)
	s.offerLocked(d.node)
}

// failOrWait is failFile of a delivery that was refused. Where that fails, it stays
// in the queue, and is tried again instead of sending.
func (s *Store) failOrWait(d *delivery, fail *failed) {
	err := s.failFile(d.node, d, fail.gen, fail.err)
	if err == nil {
		return
	}
	s.mu.Lock()
	d.fail = fail
	s.outbox.Resume(d)
	s.outbox.Postpone(d, err, false)
	s.mu.Unlock()
}

// failAgain is what is sent of a delivery that failOrWait, or waitAside, left in the
// queue; last is how the try before failed.
func (s *Store) failAgain(d *delivery, fail *failed, last error) {
	err := s.failFile(d.node, d, fail.gen, fail.err)
	outcome := outbox.Failed
	if err == nil {
		outcome = outbox.Interrupted // it is gone, or has newer content
	}
	s.mu.Lock()
	n := d.node
	path, id := n.path(), n.pub.id
	ours := s.outbox.Ended(d, outcome, err)
	if n.delivery == d {
		s.offerLocked(n)
	}
	s.mu.Unlock()
	if ours && err != nil && (last == nil || last.Error() != err.Error()) {
		s.o.Report(operations[File], path, id, err)
	}
}

// hardenRefused makes the spool durable of what is about to leave the queue: the
// copy in the database goes with that, and may be all that the disk has. b.mu
// must be held.
func (s *Store) hardenRefused(b *body) {
	if b.closed == nil {
		return
	}
	if err := errors.Join(b.closed.Open(), s.spools.Sync(b.closed)); err != nil {
		s.o.Log.Error("content that was not published is not durable yet", "error", err)
	}
}

// failDir gives up on a queued directory: the files in it go to failed/, and
// it goes when nothing is left. What is open in it goes at its last close;
// until then the directory stays queued, unless the user gives up on it. With
// scratch in it, it stays here. The next file that is closed in it tries again.
// What could not be moved stays, with the directory: the first such failure is
// returned.
func (s *Store) failDir(dir *node, reason error) (err error) {
	s.mu.RLock()
	children := make(map[*node]*delivery, len(dir.children))
	for _, n := range dir.children {
		children[n] = n.delivery
	}
	s.mu.RUnlock()
	for n, d := range children {
		switch {
		case n.local():
		case n.kind == Directory:
			err = cmp.Or(err, s.failDir(n, reason))
		default:
			err = cmp.Or(err, s.failFile(n, d, anyGen, reason))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir.parent == nil || dir.local() { // removed, or scratch meanwhile
		return nil
	}
	open := false
	for _, n := range dir.children {
		open = open || !n.local()
	}
	switch {
	case open && (reason != errDiscarded || err != nil):
		s.setQueuedLocked(dir, true)
		s.outbox.Resume(dir.delivery)
		s.noteBarredLocked(reason)
		s.outbox.Postpone(dir.delivery, reason, general(reason))
	case len(dir.children) > 0:
		s.setQueuedLocked(dir, false)
		s.keepLocked(dir)
	default:
		s.changes.add(Changed{Dir: dir.parent.ino, Entries: []string{dir.name}})
		s.unlinkLocked(dir)
	}
	return err
}

var errDiscarded = errors.New("it was taken out of the queue before it was sent")
