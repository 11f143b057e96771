package media

import (
	"fmt"
	"time"

	"paperfs/cache/media/cause"
	"paperfs/cache/media/crash"
	"paperfs/cache/media/localname"
	"paperfs/cache/media/tree"
)

// operations name in a report what was asked of the service.
var operations = map[FileKind]string{File: "upload", Directory: "mkdir"}

// setQueuedLocked puts n among what waits to be sent, or takes it out; s.mu must be
// held. The state of a file that is put in is the caller's.
func (s *Store) setQueuedLocked(n *tree.Node, queued bool) {
	if !queued {
		if n.Queued() {
			n.Own().CancelledAt = s.saveLocked(n)
			n.On(tree.Cancelled)
			if n.Kind == Directory {
				n.On(tree.Reverted) // it has no content that could be dirty
			}
		}
		if n.Delivery != nil {
			s.outbox.Drop(n.Delivery)
			n.Own().Delivery = nil
		}
		s.dropCopyLocked(n)
		return
	}
	if n.Kind == Directory {
		n.On(tree.Enqueued)
	}
	if n.Delivery == nil {
		n.Own().Delivery = &tree.Delivery{Node: n, Canceller: new(tree.Canceller)}
		linger := time.Duration(0)
		if n.Kind == File && n.Size == 0 {
			linger = s.o.Linger
		}
		s.outbox.Add(n.Delivery, linger)
	}
	s.offerLocked(n)
}

// offerLocked offers n to the outbox if it can be sent now; s.mu must be held. What
// cannot is offered again by what changes that: the release of the last
// writer, the making of the directory it lies in, a rename.
func (s *Store) offerLocked(n *tree.Node) {
	s.remakeLocked(n)
	if n.Sendable() {
		s.outbox.Offer(n.Delivery)
	}
}

// remakeLocked has the directory that a queued node lies in made again where others
// deleted it at the service; s.mu must be held.
func (s *Store) remakeLocked(n *tree.Node) {
	if in := n.Parent; n.Delivery != nil && in != nil && !in.Made() && !in.Queued() && !in.Local() {
		s.setQueuedLocked(in, true)
		s.saveLocked(in)
	}
}

// ready reports whether what a delivery is of can be sent now.
func (s *Store) ready(d *tree.Delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Node.Delivery != d {
		return false
	}
	s.remakeLocked(d.Node)
	if err := s.downloadLocked(d.Node); err != nil {
		s.outbox.Hold(d, defaultLinger, err)
		return false
	}
	return d.Node.Sendable()
}

// arrivedLocked offers what waited for a directory to be made; s.mu must be held.
func (s *Store) arrivedLocked(dir *tree.Node) {
	for _, n := range dir.Children {
		s.offerLocked(n)
	}
}

// noteBarredLocked notes that the account is let in, or why it is not; s.mu must be held.
func (s *Store) noteBarredLocked(err error) {
	if err == nil || cause.General(err) && cause.Barred(err) {
		s.barred = err
	}
}

// queue has n's present content sent, once that it will be is durable: what a close does
// with Options.WriteBack, instead of asking the service at once.
func (s *Store) queue(n *tree.Node) error {
	b := n.Body()
	b.Mu.Lock()
	upto, release, err := s.queueBodyLocked(n)
	if err != nil {
		b.Fail = &tree.Failure{Gen: b.Gen, Err: err}
	}
	b.Mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return s.journal.WaitSynced(upto)
}

// queueBodyLocked is queue for who holds b.mu of the node; it is durable when the
// table is at number upto. Until then, and release, what was queued before is
// kept. An empty file gets a spool, too: what is queued without one was sent,
// removed or set aside just before a crash.
func (s *Store) queueBodyLocked(n *tree.Node) (upto uint64, release func(), err error) {
	b := n.Body()
	if b.Spool == nil {
		if b.Spool, err = s.spools.Create(n.Ino); err != nil {
			return 0, nil, err
		}
	}
	if err := b.Spool.Open(); err != nil {
		return 0, nil, err
	}
	copied, err := s.hardenBodyLocked(n)
	if err != nil {
		return 0, nil, err
	}
	crash.At("content synced")
	release = s.retainBodyLocked(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Local() || n.Parent == nil {
		return 0, release, nil
	}
	s.enqueueLocked(n, copied)
	return s.saveLocked(n), release, nil
}

// enqueueLocked queues what is in the spool of n, with a copy of it, or nil where the
// spool is synced; b.mu of the node and s.mu must be held. What is queued stays as it is
// until a newer close replaces it, or the service has it: who writes the file again writes
// to another spool, and the row tells which is the queued one.
func (s *Store) enqueueLocked(n *tree.Node, copied []byte) {
	b := n.Body()
	s.setCopyLocked(n, copied)
	b.Pending, b.Queued, b.Fail = b.Spool, b.Gen, nil
	n.Written = true
	n.On(tree.Enqueued)
	s.setQueuedLocked(n, true)
	n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept, n.Delivery.Fail = b.Spool.Serial, b.Spool.Size, b.Spool.Kept, nil
}

// letGoBodyLocked drops what was queued of n where it is not any more, and returns when
// that is durable: until then a crash would have its spool sent, which may be
// written to from here on. b.mu of the node must be held.
func (s *Store) letGoBodyLocked(n *tree.Node) error {
	s.mu.Lock()
	queued, upto := n.Queued(), n.CancelledAt
	if !queued && upto > 0 {
		n.Own().CancelledAt = 0
	}
	s.mu.Unlock()
	if queued {
		return nil
	}
	if upto > 0 {
		if err := s.journal.WaitSynced(upto); err != nil {
			return err
		}
	}
	n.Body().ForgetPending(&s.spools)
	return nil
}

// showPendingLocked makes what is queued the content again; b.mu of the node and s.mu
// must be held, and nobody have it open.
func (s *Store) showPendingLocked(n *tree.Node) {
	b := n.Body()
	b.Spool = b.Pending
	b.Gen++
	b.Queued = b.Gen
	n.Own().Size, n.Written = b.Spool.Size, true
	n.On(tree.Restored)
	s.saveLocked(n)
	s.offerLocked(n)
}

// longestDownload is how long after its last write the part of a download holds the name back that it
// is to get: what a browser left when it crashed holds it for no longer.
const longestDownload = 10 * time.Minute

// downloadLocked is why an empty file is not sent yet, nil where it is: Firefox makes it for as long as the
// download takes, and removes it where the user cancels that, which would need --allow-delete. s.mu must be
// held.
func (s *Store) downloadLocked(n *tree.Node) error {
	if n.Kind != File || n.Size > 0 || n.Parent == nil {
		return nil
	}
	for name, part := range n.Parent.Children {
		if part.Local() && localname.IsPart(name, n.Name) && s.o.Now().Sub(part.Mtime.Time()).Abs() < longestDownload {
			return fmt.Errorf("it is empty, and is sent when its download (%s) has ended", name)
		}
	}
	return nil
}
