package media

import (
	"context"
	"errors"

	"paperfs/cache/media/outbox"
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

// unsent reports whether another generation than the one at the service is
// queued.
func (b *body) unsent() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.closed != nil && b.queued != b.sent
}
