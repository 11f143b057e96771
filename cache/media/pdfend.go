package media

import (
	"cmp"
	"os"
	"slices"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// LetGo takes its path away from the draft, whose content is incomplete for a reason: nothing of it is sent any more,
// and it goes to failed/. A Send in progress sends content that was complete when it began. heir is the draft
// of what was queued for the path, or nil. LetGo changes nothing, and returns false, if all that was written is sent
// or queued.
func (d *Draft) LetGo(reason error) (heir *Draft, is bool) {
	s, n, b := d.h.store, d.h.node, d.h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	why := b.Verdict()
	if !why.Final {
		why = tree.Verdict{Reason: reason, Gen: b.Gen, Final: true, Partial: true}
	}
	s.letGoBodyLocked(n, why)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Lost == "" {
		return nil, false
	}
	b.SetVerdict(why)
	if n.PDF.Heir != nil {
		heir = s.draftOf(n.PDF.Heir)
	}
	return heir, true
}

// Close ends the draft. Sent content moves to the content cache and, once no program has it open,
// content that could not be sent to failed/. It waits for a Send in progress.
func (d *Draft) Close() { _ = d.end() }

func (d *Draft) end() error {
	defer d.h.store.lockNode(d.h.node)()
	return d.endUnderNameLock()
}

func (d *Draft) endUnderNameLock() error {
	s, n, b := d.h.store, d.h.node, d.h.node.Body()
	b.Mu.Lock()
	s.mu.Lock()
	n.Own().Handles = max(0, n.Handles-1)
	s.mu.Unlock()
	s.dequeueBodyLocked(n) // a close queued it during the last release; nobody will send it
	s.keepSentBodyLocked(n)
	b.Mu.Unlock()
	return s.finalizeUnderNameLock(n)
}

// keepSentBodyLocked moves the content of a PDF, all of which was sent, to the cache, where programs
// that have it open go on reading it. Body.Mu must be held.
func (s *Store) keepSentBodyLocked(n *tree.Node) {
	b := n.Body()
	sp := b.Spool
	if sp == nil || b.Gen != b.Sent || b.Sum == "" || !s.keepSent(n, sp, b.Sum) {
		return // the next mount handles what could be kept nowhere
	}
	b.Spool = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Written = false // it is n.Pub
}

// Release ends the draft for callers that must not wait. If content was never sent, last sends
// it first; this, and a Send in progress, continue in the background, and the store's Close
// waits for them. Release calls ended once sent content can be read from the content cache.
func (d *Draft) Release(last, ended func()) {
	s := d.h.store
	end := func() {
		if d.Untried() {
			last()
		}
		d.Close()
		ended()
	}
	if s.enter() != nil {
		end() // the mount has ended, so no caller waits
		return
	}
	s.mu.Lock()
	s.finalizing++
	s.mu.Unlock()
	go func() {
		defer s.work.Done()
		end()
		s.mu.Lock()
		s.finalizing--
		s.mu.Unlock()
	}()
}

// partPDFBodyLocked takes the name away from a PDF that nobody uses any more, and reports whether
// it did: not if sent content could be kept nowhere. Body.Mu must be held.
func (s *Store) partPDFBodyLocked(n *tree.Node) bool {
	b := n.Body()
	if b.Spool != nil && b.Gen == b.Sent && b.Sum != "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := b.Verdict(); b.Spool != nil && b.Spool.Size > 0 && v.Reason != nil {
		s.partLocked(n, nil, v)
	} else {
		s.unlinkLocked(n)
	}
	return true
}

// Unlink removes the draft for the next mount. The draft remains usable until Close, which
// decides about content that is being sent or could not be sent.
func (d *Draft) Unlink() {
	b := d.h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Spool != nil && b.Spool.Frozen == 0 && b.Verdict().Reason == nil {
		b.Spool.Disown()
	}
}

// closeRefusedPDFs closes the drafts that could not be sent and still have a temporary name, moving
// their content to failed/ with the reason; the next mount would not know the reason. Of
// several drafts for one path, the newest gets that path in failed/.
func (s *Store) closeRefusedPDFs() {
	s.mu.RLock()
	nodes := s.pdfNodesLocked()
	slices.SortFunc(nodes, func(a, b *tree.Node) int { return cmp.Compare(b.Draft, a.Draft) })
	s.mu.RUnlock()
	for _, n := range nodes {
		d := s.draftOf(n)
		if why := d.Failure(); why == nil || refusal.Is(why, refusal.Full) || d.Queued() || d.Size() == 0 {
			continue
		}
		s.mu.Lock()
		n.Own().Handles = 1 // programs that have it open go on without it
		s.mu.Unlock()
		d.Close()
	}
}

// movePDFsToFailed moves the PDFs that earlier runs queued to failed/.
func (s *Store) movePDFsToFailed(reason error) error {
	for _, q := range s.QueuedPDFs() {
		n := q.h.node
		s.mu.RLock()
		d := n.Delivery
		s.mu.RUnlock()
		if err := s.failFile(n, d, tree.Verdict{Reason: reason, Gen: anyGen}); err != nil {
			return err
		}
		if err := q.end(); err != nil {
			return err
		}
	}
	return nil
}

// CopyToFailed copies a sent PDF for which the service could not generate pages to failed/, with
// the reason. It does not replace an entry that was never sent. One of no paper, 0, is as if it
// was never sent.
func (s *Store) CopyToFailed(pdf *os.File, paper int64, path, reason string) error {
	info, err := pdf.Stat()
	if err != nil {
		return err
	}
	sp, err := s.spools.From(pdf, info.Size())
	if err != nil {
		return err
	}
	sp.Close()
	add := s.failures.AddDamaged
	if paper == 0 {
		add = s.failures.Add
	}
	err = add(sp.Path, failed.Entry{Path: path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: paper})
	if err != nil {
		s.spools.Drop(sp)
	}
	return err
}
