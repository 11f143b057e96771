package upload

import (
	"cmp"
	"strconv"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
)

// QueueingBodyLocked checks content of n that is about to be queued as a PDF, to replace what was sent before, and notes what its paper
// is known to have; Body.Mu must be held.
func (s *Uploader) QueueingBodyLocked(n *tree.Node, pdf *tree.PDF, before tree.Version) (err error) {
	s.names.Mu.RLock()
	was, by, twin := *pdf, s.PDFProcessor, s.names.Papers.Children[strconv.FormatInt(pdf.Paper, 10)]
	unsure := pdf.MayBeThere || twin != nil && twin.Unsure // what was queued before may still take effect
	s.names.Mu.RUnlock()
	if err = by.Queueing(&was, n.Body().Spool.Content()); err != nil {
		return err
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	pdf.Again, pdf.Making = n.Body().Spool.Size == before.Size, was.Making
	if pdf.Seen = was.Seen; unsure {
		pdf.Seen = ""
	}
	return nil
}

// Enqueue queues n's present content and returns once that is durable. A close with
// Options.WriteBack calls it instead of sending the content.
func (s *Uploader) Enqueue(n *tree.Node) error {
	b := n.Body()
	b.Mu.Lock()
	upto, release, err := s.QueueBodyLocked(n)
	if err != nil {
		b.Judge(b.Gen, err)
	}
	b.Mu.Unlock()
	if err != nil {
		return err
	}
	defer release()
	return cmp.Or(s.names.Journal.WaitSynced(upto), s.names.LostWrites(n))
}

// QueueBodyLocked is queue without the wait; Body.Mu must be held. The content is queued
// durably once the journal has synced change upto. Until then, and until the caller calls
// release, the previously queued content is kept. An empty file gets a spool, too: a queued row
// without a spool means that the content was sent, removed or moved to failed/ just before a
// crash.
func (s *Uploader) QueueBodyLocked(n *tree.Node) (upto uint64, release func(), err error) {
	b := n.Body()
	if b.Spool == nil {
		if err = s.bodies.DraftEmptyBodyLocked(n); err != nil {
			return 0, nil, err
		}
	}
	if b.Spool.Lack != nil {
		return 0, nil, body.Lacking(b)
	}
	if err := s.bodies.OpenSpool(b.Spool); err != nil {
		return 0, nil, err
	}
	if n.PDF != nil {
		if err := s.QueueingBodyLocked(n, n.PDF, n.Pub); err != nil {
			return 0, nil, err
		}
	}
	copied, err := s.bodies.HardenBodyLocked(n)
	if err != nil {
		return 0, nil, err
	}
	disk.CrashPoint("content synced")
	release = s.bodies.RetainBodyLocked(n)
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if n.Local() || n.Parent == nil {
		return 0, release, nil
	}
	return s.bodies.EnqueueLocked(n, copied), release, nil
}
