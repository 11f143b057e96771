package media

import (
	"context"
	"errors"

	"paperfs/cache/media/outbox"
	"paperfs/remote"
)

// deliver sends a queued node and sees to what comes of it. last is how the try
// before failed.
func (s *Store) deliver(ctx context.Context, d *delivery, last error) {
	n := d.node
	s.mu.Lock()
	canceller, began, fail := d.canceller, s.o.Now(), d.fail
	s.mu.Unlock()
	if fail != nil {
		s.failAgain(d, fail, last)
		return
	}
	var err error
	if n.kind == Directory {
		err = s.sendDir(ctx, n)
	} else if err = s.queueLate(n); err == nil {
		err = s.publish(ctx, n, canceller)
	}
	cut := err != nil && (context.Cause(ctx) == outbox.ErrCut || errors.Is(err, outbox.ErrCut))
	if !cut && doubtful(err) {
		err = s.weigh(ctx, d, began, err)
	}
	switch refused := s.concluded(d, last, cut, err); {
	case refused && n.kind == Directory:
		_ = s.failDir(n, err) // what stays is tried again
	case refused:
		s.failOrWait(d, &failed{gen: canceller.gen, err: err})
	case n.kind == File && !s.inUse(n):
		s.settle(n)
	}
}

// concluded notes how an attempt ended, and reports whether it was refused for
// good.
func (s *Store) concluded(d *delivery, last error, cut bool, err error) (refused bool) {
	n := d.node
	newer := n.kind == File && n.body().unsent()
	s.mu.Lock()
	outcome := s.outcomeLocked(d, cut, err)
	if err == nil || outcome == outbox.Blocked {
		s.noteBarredLocked(err)
	}
	path, id := n.path(), n.pub.id
	mended := err == nil && n.parent != nil
	ours := s.outbox.Ended(d, outcome, err)
	refused = ours && outcome == outbox.Refused
	if n.delivery == d { // else it was sent, removed, or is being written again
		if err == nil && !newer || refused && n.kind == Directory {
			s.setQueuedLocked(n, false)
		}
		s.offerLocked(n)
	}
	s.mu.Unlock()
	switch {
	case ours && outcome != outbox.Interrupted && err != nil && (refused || last == nil || last.Error() != err.Error()):
		s.o.Report(operations[n.kind], path, id, err)
	case mended:
		s.o.Mended(operations[n.kind], path)
	}
	return refused
}

// noteBarredLocked notes that the account is let in, or why it is not; s.mu must be held.
func (s *Store) noteBarredLocked(err error) {
	if err == nil || general(err) && barred(err) {
		s.barred = err
	}
}

// outcomeLocked is what an attempt says of its delivery; s.mu must be held.
func (s *Store) outcomeLocked(d *delivery, cut bool, err error) outbox.Outcome {
	switch {
	case err == nil:
		return outbox.Sent
	case cut, interrupted(err) && s.outbox.Closed(): // who did that goes on with it
		return outbox.Interrupted
	case general(err):
		return outbox.Blocked
	case passing(err) || ours(err) || interrupted(err): // nobody waits for it but the user
		return outbox.Failed
	}
	return outbox.Refused
}

// queueLate queues what could not be when it was closed, since this machine had no
// room.
func (s *Store) queueLate(n *node) error {
	s.mu.RLock()
	late := n.state == stuck
	s.mu.RUnlock()
	if !late {
		return nil
	}
	b := n.body()
	b.mu.Lock()
	upto, release, err := s.queueHere(n)
	b.mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return s.table.wait(upto)
}

var operations = map[FileKind]string{File: "upload", Directory: "mkdir"}

// unsent reports whether another generation than the one at the service is
// queued.
func (b *body) unsent() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.closed != nil && b.queued != b.sent
}

func interrupted(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Cancelled || errors.Is(err, context.Canceled)
}

// sendDir makes a directory at the service unless it is there.
func (s *Store) sendDir(ctx context.Context, n *node) error {
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.Lock()
	parent, name := n.parent, n.name
	needless := parent == nil || n.local() || n.id != 0
	if !needless {
		n.own().making++
	}
	s.mu.Unlock()
	if needless {
		return nil
	}
	defer func() {
		s.mu.Lock()
		n.making--
		s.mu.Unlock()
	}()
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	s.mu.RLock()
	in := parent.id
	s.mu.RUnlock()
	id, err := s.o.Service.CreateDirectory(ctx, in, name)
	if forGood(err) {
		id, err = s.lookForDir(ctx, n, err)
	}
	if err != nil {
		s.Forget()
		return err
	}
	s.mu.Lock()
	n.id = id
	s.indexLocked(n)
	s.setQueuedLocked(n, false)
	s.serial++
	n.own().changed = s.serial
	upto := s.keepLocked(n)
	s.arrivedLocked(n)
	s.mu.Unlock()
	return s.table.wait(upto)
}

// forGood reports whether the service has refused something, and will again.
func forGood(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Refused && !passing(err)
}

// lookForDir looks whether a directory that could not be made, with refusal,
// is there because others have made it.
func (s *Store) lookForDir(ctx context.Context, n *node, refusal error) (int64, error) {
	if err := s.Refresh(ctx); err != nil {
		return 0, refusal
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.id == 0 {
		return 0, refusal
	}
	return n.id, nil
}

// makeDirs has the service know dir and all that it lies in. The place of
// something in it may be locked.
func (s *Store) makeDirs(ctx context.Context, dir *node) error {
	s.mu.RLock()
	made, gone, parent := dir.made(), dir.parent == nil || dir.local(), dir.parent
	s.mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: what was in it must not go elsewhere
		return notFound(dir.name)
	}
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	if err := s.sendDir(ctx, dir); err != nil {
		return err
	}
	return s.makeDirs(ctx, dir)
}
