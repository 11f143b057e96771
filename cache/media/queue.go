package media

import (
	"cmp"
	"fmt"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/tree"
)

// operations are the names of requests in reports.
var operations = map[FileKind]string{File: "upload", Directory: "mkdir"}

// setQueuedLocked adds n to the queue or removes it; s.mu must be held. The caller sets the
// state of a file that it adds.
func (s *Store) setQueuedLocked(n *tree.Node, queued bool) {
	if !queued {
		if n.Queued() {
			n.Own().CancelledAt = s.saveLocked(n)
			n.On(tree.Cancelled)
			if n.Kind == Directory {
				n.On(tree.Reverted) // a directory has no content that could be dirty
			}
		}
		if n.Delivery != nil {
			n.Delivery.Queue.Drop(n.Delivery)
			n.Own().Delivery = nil
		}
		s.dropCopyLocked(n)
		return
	}
	if n.Kind == Directory {
		n.On(tree.Enqueued)
	}
	if n.Delivery == nil {
		linger := time.Duration(0)
		if n.Kind == File && n.Size == 0 {
			linger = s.o.Linger
		}
		s.addDeliveryLocked(n, linger)
	}
	s.offerLocked(n)
}

// addDeliveryLocked gives n an entry of the queue, which waits for at least linger; s.mu must be held.
func (s *Store) addDeliveryLocked(n *tree.Node, linger time.Duration) {
	queue := s.outbox
	if n.PDF != nil {
		queue = s.pdfs
	}
	n.Own().Delivery = &tree.Delivery{Node: n, Queue: queue, Canceller: new(tree.Canceller)}
	queue.Add(n.Delivery, linger)
}

// offerLocked offers n to the outbox if it can be sent now; s.mu must be held. Otherwise n is
// offered again when the reason ends: at the release of the last writer, when its directory has
// been created, or after a rename.
func (s *Store) offerLocked(n *tree.Node) {
	s.requeueParentLocked(n)
	if n.Sendable() {
		n.Delivery.Queue.Offer(n.Delivery)
	}
}

// requeueParentLocked queues the directory of a queued node for creation if others deleted it
// at the service; s.mu must be held.
func (s *Store) requeueParentLocked(n *tree.Node) {
	if in := n.Parent; n.Delivery != nil && in != nil && !in.Made() && !in.Queued() && !in.Local() {
		s.setQueuedLocked(in, true)
		s.saveLocked(in)
	}
}

// ready reports whether the node of a delivery can be sent now.
func (s *Store) ready(d *tree.Delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Node.Delivery != d || d.Node.PDF != nil && s.processor == nil {
		return false
	}
	s.requeueParentLocked(d.Node)
	if err := s.downloadLocked(d.Node); err != nil {
		d.Queue.Hold(d, defaultLinger, err)
		return false
	}
	return d.Node.Sendable()
}

// offerChildrenLocked offers the entries of a directory that now exists at the service; s.mu
// must be held.
func (s *Store) offerChildrenLocked(dir *tree.Node) {
	for _, n := range dir.Children {
		s.offerLocked(n)
	}
}

// noteBarredLocked records whether the service rejects the account, and why; s.mu must be held.
func (s *Store) noteBarredLocked(err error) {
	if err == nil || cause.General(err) && cause.Barred(err) {
		s.barred = err
	}
}

// queue queues n's present content and returns once that is durable. A close with
// Options.WriteBack calls it instead of sending the content.
func (s *Store) queue(n *tree.Node) error {
	b := n.Body()
	b.Mu.Lock()
	upto, release, err := s.queueBodyLocked(n)
	if err != nil {
		b.Judge(b.Gen, err)
	}
	b.Mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return cmp.Or(s.journal.WaitSynced(upto), s.lostWrites(n))
}

// queueBodyLocked is queue without the wait; Body.Mu must be held. The content is queued
// durably once the journal has synced change upto. Until then, and until the caller calls
// release, the previously queued content is kept. An empty file gets a spool, too: a queued row
// without a spool means that the content was sent, removed or moved to failed/ just before a
// crash.
func (s *Store) queueBodyLocked(n *tree.Node) (upto uint64, release func(), err error) {
	b := n.Body()
	if b.Spool == nil {
		if err = s.draftEmptyBodyLocked(n); err != nil {
			return 0, nil, err
		}
	}
	if b.Spool.Lack != nil {
		return 0, nil, lacking(b)
	}
	if err := s.openSpool(b.Spool); err != nil {
		return 0, nil, err
	}
	if n.PDF != nil {
		if err := s.queueingBodyLocked(n, n.PDF, n.Pub); err != nil {
			return 0, nil, err
		}
	}
	copied, err := s.hardenBodyLocked(n)
	if err != nil {
		return 0, nil, err
	}
	disk.CrashPoint("content synced")
	release = s.retainBodyLocked(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Local() || n.Parent == nil {
		return 0, release, nil
	}
	return s.enqueueLocked(n, copied), release, nil
}

// enqueueLocked queues the content in n's spool, with change upto; Body.Mu and s.mu must be held.
// copied is the copy for the database, or nil if the spool is synced. Queued content does not change until a
// newer close replaces it or the service has it: later writes go to another spool, and the row
// names the queued one.
func (s *Store) enqueueLocked(n *tree.Node, copied []byte) (upto uint64) {
	b := n.Body()
	s.setCopyLocked(n, copied)
	b.Pending, b.Queued = b.Spool, b.Gen
	if !b.Verdict().Final {
		b.SetVerdict(tree.Verdict{})
	}
	n.Written = true
	n.On(tree.Enqueued)
	s.setQueuedLocked(n, true)
	n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept = b.Spool.Serial, b.Spool.Size, b.Spool.Kept
	n.Delivery.Since, n.Delivery.Last = s.o.Now(), nil
	n.Delivery.Change, n.Delivery.Outdated = s.saveLocked(n), false
	return n.Delivery.Change
}

// queuedDurablyLocked reports whether the close that queued n could return: its row is synced.
// s.mu must be held.
func (s *Store) queuedDurablyLocked(n *tree.Node) bool {
	return n.Delivery != nil && s.journal.Synced(n.Delivery.Change)
}

// dropDequeuedBodyLocked drops content of n that is no longer queued, and returns once its removal
// from the queue is durable. Until then a crash would send the spool, so it must not be written
// to. Body.Mu must be held.
func (s *Store) dropDequeuedBodyLocked(n *tree.Node) error {
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

// longestDownload limits how long after its last write a partial download delays the empty file
// of its final name, in case the browser crashed.
const longestDownload = 10 * time.Minute

// downloadLocked returns why an empty file must wait, or nil. Firefox creates it for the
// duration of a download and removes it if the user cancels, which would need --allow-delete
// once it was sent. s.mu must be held.
func (s *Store) downloadLocked(n *tree.Node) error {
	if n.Kind != File || n.Size > 0 || n.Parent == nil {
		return nil
	}
	for name, part := range n.Parent.Children {
		if part.Local() && localname.IsPart(name, n.Name) && s.o.Now().Sub(part.Mtime.Time()).Abs() < longestDownload {
			return fmt.Errorf("it is empty and will be sent when its download (%s) ends", name)
		}
	}
	return nil
}
