package media

import (
	"context"
	"io"
)

// Available fails with NoContent when the content is neither here nor to be
// had, without fetching it.
func (h *Handle) Available(ctx context.Context) error {
	s := h.store
	s.mu.RLock()
	pub, name := h.node.pub, h.node.name
	s.mu.RUnlock()
	if h.Loaded() || pub.url.known() || s.contents.Has(pub.sha256.String()) || s.withAddress(ctx, h.node).url.known() {
		return nil
	}
	return noContent(name)
}

// Load sees to it that reads, and writes that keep some of the content, are
// answered from this machine. It waits for the content where that has to be
// fetched.
func (h *Handle) Load(ctx context.Context) error { return h.store.fetch(ctx, h.node) }

// Loaded reports whether Load would return at once.
func (h *Handle) Loaded() bool {
	h.node.body().mu.RLock()
	defer h.node.body().mu.RUnlock()
	return h.store.loaded(h.node)
}

// ReadAt reads as io.ReaderAt does. Without Load before, it may fetch.
func (h *Handle) ReadAt(p []byte, off int64) (int, error) {
	b := h.node.body()
	for {
		b.mu.RLock()
		if h.store.loaded(h.node) {
			defer b.mu.RUnlock()
			return b.readAt(p, off)
		}
		b.mu.RUnlock()
		if err := h.Load(h.store.base); err != nil {
			return 0, err
		}
	}
}

// readAt reads what is there; b.mu must be held.
func (b *body) readAt(p []byte, off int64) (int, error) {
	switch {
	case b.spool != nil:
		return b.spool.F.ReadAt(p, off)
	case b.held != nil:
		return b.held.f.ReadAt(p, off)
	}
	return 0, io.EOF
}
