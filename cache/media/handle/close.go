package handle

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/waiter"
)

// Fsync makes the written content and the file's name durable locally. It publishes nothing.
func (h *Handle) Fsync() error {
	b := h.node.Body()
	b.Mu.RLock()
	err := h.store.bodies.Spools.Sync(b.Spool)
	b.Mu.RUnlock()
	return errors.Join(err, h.store.names.Sync())
}

// Flush publishes what this handle wrote since the last upload and returns the outcome. With
// Options.WriteBack it queues the content durably instead. It does nothing if the handle has
// not written, if the file was removed locally, or if the file is empty: an empty file may be
// written next, and is sent after its last release. For a scratch file, Flush returns once the
// name survives a kill. After a failed write it fails, and the name no longer refers to the content.
func (h *Handle) Flush(ctx context.Context) error {
	err := h.flush(waiter.Committed(ctx))
	if err != nil && h.store.names.Unlinked(h.node) {
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
		h.store.bodies.Complete(h.node)
	}
	b.Mu.Lock()
	wrote, idle := h.gen > 0, h.gen == 0 || h.gen <= b.Sent
	empty := b.Spool != nil && b.Spool.Size == 0
	broken := h.broken
	if broken == nil && !idle && b.Verdict().Final {
		broken = b.Verdict().Reason
	}
	if broken != nil && b.Verdict().Final {
		h.store.bodies.DetachBodyLocked(h.node, b.Verdict())
	}
	b.Mu.Unlock()
	if err := h.lost(); err != nil {
		return err
	}
	switch {
	case h.store.names.NeverSent(h.node):
		return cmp.Or(h.store.saveName(wrote), broken)
	case broken != nil:
		return broken
	}
	h.store.noteClosing(h.node)
	switch {
	case empty && !idle && h.store.names.Alone(h.node):
		h.store.bodies.Detach(h.node, tree.Verdict{Reason: names.ErrEmptyPDF})
		return nil
	case idle || empty:
		return nil
	case h.store.o.WriteBack:
		if err := h.store.reconciler.Conflict(h.node); err != nil && !h.store.bodies.KeepBeside(h.node) {
			h.store.bodies.Detach(h.node, tree.Verdict{Reason: err, Final: true})
			return err
		}
		return h.store.uploads.Enqueue(h.node)
	}
	return h.store.publish(ctx, h.node)
}

// publish sends the newest content of n.
func (s *Handles) publish(ctx context.Context, n *tree.Node) error {
	if err := s.names.Enter(); err != nil {
		return err
	}
	defer s.names.Work.Done()
	return s.uploads.PublishOrPart(ctx, n, nil)
}

// lost returns why what was written is not published: the name no longer refers to the file. With
// Options.CopyBeside it gets another name instead.
func (h *Handle) lost() error {
	err := h.store.names.LostWrites(h.node)
	if err != nil && h.store.bodies.KeepBeside(h.node) {
		return nil
	}
	return err
}

// Unreported is the outcome for what was written through this handle since its last Flush, if the name has
// no longer refers to the file. Call it before the release.
func (h *Handle) Unreported() error {
	if !h.Unsent() {
		return nil
	}
	return h.lost()
}

// Unpublishable reports whether what was written through this handle cannot be published, whatever else is written.
func (h *Handle) Unpublishable() bool { return cmp.Or(h.Broken(), h.Unreported()) != nil }

// Unsent reports whether the service lacks what was written through this handle.
func (h *Handle) Unsent() bool {
	return h.is(func(b *tree.Body) bool { return h.gen > b.Sent })
}

// UnsentSinceEmptied is Unsent, if no program has emptied the file since.
func (h *Handle) UnsentSinceEmptied() bool {
	return h.is(func(b *tree.Body) bool { return h.gen > max(b.Sent, b.Emptied) })
}

// is reports what holds of the content at one moment.
func (h *Handle) is(so func(*tree.Body) bool) bool {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return so(b)
}

// saveName returns once the row of a written scratch file survives a kill. Without its row, the
// content would appear in failed/ under its inode number.
func (s *Handles) saveName(wrote bool) error {
	if !wrote {
		return nil
	}
	return s.names.WaitWritten()
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
	s.names.Mu.Lock()
	if h.node.Handles == 0 { // Unmounted ended it first
		s.names.Mu.Unlock()
		return func() {}
	}
	h.countLocked(-1)
	last := h.node.Handles == 0
	if last {
		s.finalizing++
	}
	if last || h.node.Writers == 0 && (h.node.Queued() || !h.node.Dirty()) { // what was sent or queued waits for no reader
		delete(s.names.Closing, h.node.Ino)
	}
	s.names.OfferLocked(h.node)
	s.names.Mu.Unlock()
	if !last {
		return func() {}
	}
	entered := s.names.Enter() == nil
	return func() { s.released(h.node, entered) }
}

// released finalizes a file after its last release. If entered is false, Close has run, and the
// next Open finds the content in the spool.
func (s *Handles) released(n *tree.Node, entered bool) {
	if entered {
		_ = s.Finalize(n) // after an error it is tried again
		s.names.Work.Done()
	}
	s.names.Mu.Lock()
	s.finalizing--
	s.names.Mu.Unlock()
}

// SettledLocked reports whether every closed file is finalized; Tree.Mu must be held.
func (s *Handles) SettledLocked() bool { return s.finalizing == 0 && len(s.names.Closing) == 0 }

// noteClosing records that the last release of n may follow: the kernel sends it after the
// close has returned.
func (s *Handles) noteClosing(n *tree.Node) {
	s.names.Mu.Lock()
	if n.Handles > 0 && !n.Local() && n.Parent != nil {
		s.names.Closing[n.Ino] = n
	}
	s.names.Mu.Unlock()
}

// Unmounted finalizes closed files whose release will not come, because the kernel drops unsent
// releases when a mount ends. Call it once no program can reach the mount; requests that the
// server still handles may end later.
func (s *Handles) Unmounted() {
	s.names.Mu.Lock()
	closed := slices.Collect(maps.Values(s.names.Closing))
	clear(s.names.Closing)
	s.finalizing += len(closed)
	for _, n := range closed {
		n.Own().Handles, n.Own().Writers = 0, 0
		s.unblankLocked(n)
		s.names.OfferLocked(n)
	}
	s.names.Mu.Unlock()
	for _, n := range closed {
		s.released(n, s.names.Enter() == nil)
	}
}

// whole fails if what a close would publish, queue or keep is not where the next mount finds it.
func (h *Handle) whole() error {
	s, b := h.store, h.node.Body()
	if err := s.o.State.Whole(); err != nil {
		return err
	}
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	if sp := b.Spool; sp != nil && !sp.Named() {
		return s.o.State.Lose(sp.Path)
	}
	return nil
}
