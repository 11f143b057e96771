package media

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
)

// Fsync makes the written content and the file's name durable locally. It publishes nothing.
func (h *Handle) Fsync() error {
	b := h.node.Body()
	b.Mu.RLock()
	err := h.store.spools.Sync(b.Spool)
	b.Mu.RUnlock()
	return errors.Join(err, h.store.Sync())
}

// Flush publishes what this handle wrote since the last upload and returns the outcome. With
// Options.WriteBack it queues the content durably instead. It does nothing if the handle has
// not written, if the file was removed locally, or if the file is empty: an empty file may be
// written next, and is sent after its last release. For a scratch file, Flush returns once the
// name survives a kill. After a failed write it fails, and the name lets go of the content.
func (h *Handle) Flush(ctx context.Context) error {
	err := h.flush(waiter.Committed(ctx))
	if err != nil && h.store.apart(h.node) {
		b := h.node.Body()
		b.Mu.Lock()
		h.gen = 0 // told
		b.Mu.Unlock()
	}
	return err
}

func (h *Handle) flush(ctx context.Context) error {
	b := h.node.Body()
	if h.Unsent() {
		if err := h.whole(); err != nil {
			return err
		}
		h.store.complete(h.node)
	}
	b.Mu.Lock()
	wrote, idle := h.gen > 0, h.gen == 0 || h.gen <= b.Sent
	empty := b.Spool != nil && b.Spool.Size == 0
	broken := h.broken
	if broken == nil && !idle && b.Verdict().Final {
		broken = b.Verdict().Reason
	}
	if broken != nil && b.Verdict().Final {
		h.store.letGoBodyLocked(h.node, b.Verdict())
	}
	b.Mu.Unlock()
	if err := h.lost(); err != nil {
		return err
	}
	switch {
	case h.store.neverSent(h.node):
		return cmp.Or(h.store.saveName(wrote), broken)
	case broken != nil:
		return broken
	}
	h.store.noteClosing(h.node)
	switch {
	case empty && !idle && h.store.alone(h.node):
		h.store.letGo(h.node, tree.Verdict{Reason: errEmptyPDF})
		return nil
	case idle || empty:
		return nil
	case h.store.o.WriteBack:
		if err := h.store.conflict(h.node); err != nil && !h.store.keepBeside(h.node) {
			h.store.letGo(h.node, tree.Verdict{Reason: err, Final: true})
			return err
		}
		return h.store.queue(h.node)
	}
	if err := h.store.enter(); err != nil {
		return err
	}
	defer h.store.work.Done()
	return h.store.publishOrPart(ctx, h.node, nil)
}

// lost returns why what was written is not published: the name has let go of the file. With
// Options.CopyBeside it gets another name instead.
func (h *Handle) lost() error {
	err := h.store.lostWrites(h.node)
	if err != nil && h.store.keepBeside(h.node) {
		return nil
	}
	return err
}

// Untold is the outcome for what was written through this handle since its last Flush, if the name has
// let go of the file. Call it before the release.
func (h *Handle) Untold() error {
	if !h.Unsent() {
		return nil
	}
	return h.lost()
}

// Doomed reports whether what was written through this handle cannot be published, whatever else is written.
func (h *Handle) Doomed() bool { return cmp.Or(h.Broken(), h.Untold()) != nil }

// Unsent reports whether the service lacks what was written through this handle.
func (h *Handle) Unsent() bool {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return h.gen > b.Sent
}

// Owes is Unsent, if no program has emptied the file since.
func (h *Handle) Owes() bool {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return h.gen > max(b.Sent, b.Emptied)
}

// saveName returns once the row of a written scratch file survives a kill. Without its row, the
// content would appear in failed/ under its inode number.
func (s *Store) saveName(wrote bool) error {
	if !wrote {
		return nil
	}
	return s.waitWritten()
}

// Release ends the handle. The last release finalizes the file, which may wait for older
// content of the file that is being sent.
func (h *Handle) Release() { h.end()() }

// ReleaseInBackground is Release for callers that must not wait, such as the kernel: it sends
// few releases at a time and delays readers until one is answered. Close waits for the
// background work.
func (h *Handle) ReleaseInBackground() { go h.end()() }

// end removes the handle from the open handles and returns the remaining work.
func (h *Handle) end() (finalize func()) {
	s := h.store
	s.mu.Lock()
	if h.node.Handles == 0 { // Unmounted ended it first
		s.mu.Unlock()
		return func() {}
	}
	h.countLocked(-1)
	last := h.node.Handles == 0
	if last {
		s.finalizing++
	}
	if last || h.node.Writers == 0 && (h.node.Queued() || !h.node.Dirty()) { // what was sent or queued waits for no reader
		delete(s.closing, h.node.Ino)
	}
	s.offerLocked(h.node)
	s.mu.Unlock()
	if !last {
		return func() {}
	}
	entered := s.enter() == nil
	return func() { s.released(h.node, entered) }
}

// released finalizes a file after its last release. If entered is false, Close has run, and the
// next Open finds the content in the spool.
func (s *Store) released(n *tree.Node, entered bool) {
	if entered {
		_ = s.finalize(n) // after an error it is tried again
		s.work.Done()
	}
	s.mu.Lock()
	s.finalizing--
	s.mu.Unlock()
}

// settledLocked reports whether every closed file is finalized; s.mu must be held.
func (s *Store) settledLocked() bool { return s.finalizing == 0 && len(s.closing) == 0 }

// noteClosing records that the last release of n may follow: the kernel sends it after the
// close has returned.
func (s *Store) noteClosing(n *tree.Node) {
	s.mu.Lock()
	if n.Handles > 0 && !n.Local() && n.Parent != nil {
		s.closing[n.Ino] = n
	}
	s.mu.Unlock()
}

// Unmounted finalizes closed files whose release will not come, because the kernel drops unsent
// releases when a mount ends. Call it once no program can reach the mount; requests that the
// server still handles may end later.
func (s *Store) Unmounted() {
	s.mu.Lock()
	closed := slices.Collect(maps.Values(s.closing))
	clear(s.closing)
	s.finalizing += len(closed)
	for _, n := range closed {
		n.Own().Handles, n.Own().Writers = 0, 0
		s.unblankLocked(n)
		s.offerLocked(n)
	}
	s.mu.Unlock()
	for _, n := range closed {
		s.released(n, s.enter() == nil)
	}
}
