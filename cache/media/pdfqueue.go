package media

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"

	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Queuing has the arguments of Draft.Queue.
type Queuing struct {
	Dir    int64                      // category of a PDF next to a paper's directory, 0 for source.pdf
	New    bool                       // no paper had its name
	Making bool                       // an attempt for another PDF of the name may have created the paper
	Seen   string                     // what the paper is known to have; not sent if others change that; "" allows anything
	Check  func(remote.Content) error // validates the content; on an error nothing is queued
}

// Queue queues what was written since the last Send or Queue, and returns once that is durable.
// The caller must call PublishBy next. After Close, Queue fails with os.ErrClosed; a Close
// before PublishBy removes the content from the queue.
func (d *Draft) Queue(q Queuing) error {
	before, err := d.sizeBefore()
	if err != nil {
		return err
	}
	s, b := d.h.store, d.h.node.Body()
	gen, upto, release, err := d.enqueue(q, before)
	if gen == 0 || err != nil {
		return err
	}
	defer release()
	if err = s.journal.WaitSynced(upto); err != nil {
		b.Mu.Lock()
		defer b.Mu.Unlock()
		s.dequeueBodyLocked(d.h.node)
		b.Judge(gen, err)
	}
	return err
}

// enqueue is Queue without the wait; gen is 0 if there is nothing to queue. Until release,
// content that was queued before is kept.
func (d *Draft) enqueue(q Queuing, before int64) (gen, upto uint64, release func(), err error) {
	s, n, b := d.h.store, d.h.node, d.h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if s.neverSent(n) {
		return 0, 0, nil, os.ErrClosed
	}
	if gen, err = s.unsentBodyLocked(n); gen == 0 || err != nil {
		return 0, 0, nil, err
	}
	if err = q.Check(b.Spool.Content()); err == nil {
		// It may have been queued and removed before, without that being written to the row.
		err = s.spools.Unmark(b.Spool.Serial)
	}
	if err == nil {
		s.mu.Lock()
		p := n.PDF
		p.Dir, p.New, p.Making, p.Again = q.Dir, q.New, p.Making || q.Making, b.Spool.Size == before
		if p.Seen = q.Seen; p.MayBeThere { // the content queued before may still take effect
			p.Seen = ""
		}
		s.mu.Unlock()
		upto, release, err = s.queueBodyLocked(n)
	}
	if err != nil {
		b.Judge(gen, err)
	}
	return gen, upto, release, err
}

// sizeBefore returns the length of the content last sent for the paper, 0 if there is none.
func (d *Draft) sizeBefore() (size int64, err error) {
	if paper := d.About().Paper; paper != 0 && d.h.store.o.SentPDF != nil {
		_, size, err = d.h.store.o.SentPDF(paper)
	}
	return size, err
}

// PublishBy sets the Publisher of the queued content.
func (d *Draft) PublishBy(to Publisher) {
	d.h.store.mu.Lock()
	defer d.h.store.mu.Unlock()
	d.h.node.PDF.Publisher = to
	d.h.store.offerLocked(d.h.node)
}

// Unqueue removes the queued content from the queue because its name was removed. With drop, it discards
// everything written: neither a kill nor a full disk brings it back. A request that was sent
// completely continues and may take effect.
func (d *Draft) Unqueue(drop bool) {
	s, b := d.h.store, d.h.node.Body()
	s.mu.Lock()
	if delivery := d.h.node.Delivery; delivery != nil {
		s.stopLocked(delivery)
	}
	s.mu.Unlock()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	for _, sp := range []*spool.File{b.Pending, b.Spool} {
		if drop && sp != nil && !sp.Disown() {
			_ = os.Remove(sp.Path) // open handles keep it; it will not be cached
		}
	}
	s.dequeueBodyLocked(d.h.node)
}

// dequeueBodyLocked removes the queued content of a PDF from the queue, and drops it unless it is
// still in use; Body.Mu must be held.
func (s *Store) dequeueBodyLocked(n *tree.Node) {
	s.mu.Lock()
	if !n.Queued() {
		s.mu.Unlock()
		return
	}
	serial := n.Delivery.Spool
	s.setQueuedLocked(n, false)
	upto := s.dirtied
	s.mu.Unlock()
	s.leftQueue(n, serial, upto)
	n.Body().ForgetPending(&s.spools) // after its row, since a row without content would be reported as a loss
}

// leftQueue returns once the next run knows, from change upto, that the spool of a PDF left the queue.
func (s *Store) leftQueue(n *tree.Node, serial, upto uint64) {
	err := s.journal.WaitWritten(upto)
	if err == nil {
		return
	}
	if gone := s.spools.MarkGone(serial); gone != nil {
		s.o.Log.Warn("cannot record that a PDF left the queue; the next mount sends it", "path", n.LastPath(), "error", errors.Join(err, gone))
	}
}

// tellPublisher tells who queued a PDF of the outcome of an attempt.
func (s *Store) tellPublisher(n *tree.Node, refused, delayed bool, err error) {
	s.mu.RLock()
	to, over := n.PDF.Publisher, !n.Queued()
	s.mu.RUnlock()
	switch {
	case over && refused:
		to.Published(err)
	case over && err == nil: // otherwise who took it out of the queue tells
		to.Published(nil)
	case delayed && !refused:
		to.Delayed(err)
	}
}

// QueuedPDFs returns the PDFs that earlier runs queued. Each is sent once its PublishBy was
// called.
func (s *Store) QueuedPDFs() (list []*Draft) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, n := range s.pdfNodesLocked() {
		if n.Queued() && n.PDF.Publisher == nil {
			list = append(list, s.draftOf(n))
		}
	}
	return list
}

// pdfNodesLocked returns the PDFs in the order in which they were begun; s.mu must be held.
func (s *Store) pdfNodesLocked() []*tree.Node {
	return slices.SortedFunc(maps.Values(s.papers.Children), func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) })
}

// WriteBack reports whether a close queues the written content.
func (s *Store) WriteBack() bool { return s.o.WriteBack }

// WritingPDFs returns the paths, from the mount's root, of PDFs with content that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() (paths []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, n := range s.papers.Children {
		if n.Untried() && !s.temporary(n.PDF.Path) {
			paths = append(paths, tree.MountPath(s.shownLocked(n)))
		}
	}
	slices.Sort(paths)
	return paths
}
