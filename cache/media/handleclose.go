package media

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
)

// Fsync makes what was written, and the file's name, durable on this machine.
// It publishes nothing.
func (h *Handle) Fsync() error {
	b := h.node.Body()
	b.Mu.RLock()
	err := h.store.spools.Sync(b.Spool)
	b.Mu.RUnlock()
	return errors.Join(err, h.store.Sync())
}

// Flush publishes what was written by this handle since the last upload and
// reports the outcome; with Options.WriteBack it queues it durably. It does nothing for a handle that has written nothing,
// for one that was removed here, and for an empty file, which may be about to be
// written: that one is sent after its last handle has gone. The name of a scratch
// file outlives the process when it returns.
func (h *Handle) Flush(ctx context.Context) error {
	ctx = waiter.Begun(ctx)
	b := h.node.Body()
	b.Mu.Lock()
	wrote, idle := h.gen > 0, h.gen == 0 || h.gen <= b.Sent
	broken, spoiled := h.broken, cmp.Or(b.Torn, b.Abandoned())
	empty := b.Spool != nil && b.Spool.Size == 0
	b.Mu.Unlock()
	if err := h.store.lostWrites(h.node); err != nil {
		return err
	}
	switch {
	case h.store.stays(h.node):
		return h.store.saveName(wrote)
	case broken != nil:
		return broken
	case spoiled != nil && !idle:
		return spoiled
	}
	h.store.noteClosing(h.node)
	switch {
	case idle || empty:
		return nil
	case h.store.o.WriteBack:
		return h.store.queue(h.node)
	}
	if err := h.store.enter(); err != nil {
		return err
	}
	defer h.store.work.Done()
	return h.store.publish(ctx, h.node, nil)
}

// saveName returns when a kill does not take the name from what was written to a
// scratch file: without its row that would be in failed/ by its number.
func (s *Store) saveName(wrote bool) error {
	if !wrote {
		return nil
	}
	return s.written()
}

// Release ends the handle. With the last one the file's content goes where it
// belongs, which may wait for older content of the file that is being sent.
func (h *Handle) Release() { h.end()() }

// ReleaseInBackground is Release for who must not wait, as the kernel: it sends few
// releases at a time, and delays readers while none of them is answered.
// Close waits for what goes on.
func (h *Handle) ReleaseInBackground() { go h.end()() }

// end counts the handle out, and returns what is left to be done.
func (h *Handle) end() (finalize func()) {
	s := h.store
	s.mu.Lock()
	if h.node.Handles == 0 { // Unmounted was faster
		s.mu.Unlock()
		return func() {}
	}
	h.countLocked(-1)
	last := h.node.Handles == 0
	if last {
		s.finalizing++
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

// released finalizes a file whose last handle has gone. After Close, when entered is
// false, the next Open finds the content in the spool.
func (s *Store) released(n *tree.Node, entered bool) {
	if entered {
		s.finalize(n)
		s.work.Done()
	}
	s.mu.Lock()
	s.finalizing--
	s.mu.Unlock()
}

// noteClosing notes that the last release of n may be on its way: the kernel
// tells of it after the close has returned.
func (s *Store) noteClosing(n *tree.Node) {
	s.mu.Lock()
	if n.Handles > 0 && !n.Local() && n.Parent != nil {
		s.closing[n.Ino] = n
	}
	s.mu.Unlock()
}

// Unmounted ends the files that were closed and whose release does not come: the
// kernel drops the releases that it has not sent when a mount ends. It is called once
// no program can reach the mount; what the server still works on may end later.
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
