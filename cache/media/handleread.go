package media

import (
	"context"
)

// Available fails with NoContent when the content is neither here nor to be
// had, without fetching it.
func (h *Handle) Available(ctx context.Context) error {
	s := h.store
	s.mu.RLock()
	pub, name := h.node.Pub, h.node.Name
	s.mu.RUnlock()
	if h.Loaded() || pub.URL.Known() || s.contents.Has(pub.SHA256.String()) || s.withAddress(ctx, h.node).URL.Known() {
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
	h.node.Body().Mu.RLock()
	defer h.node.Body().Mu.RUnlock()
	return h.store.loaded(h.node)
}

// ReadAt reads as io.ReaderAt does. Without Load before, it may fetch.
func (h *Handle) ReadAt(p []byte, off int64) (int, error) {
	b := h.node.Body()
	for {
		b.Mu.RLock()
		if h.store.loaded(h.node) {
			defer b.Mu.RUnlock()
			return b.ReadAt(p, off)
		}
		b.Mu.RUnlock()
		if err := h.Load(h.store.base); err != nil {
			return 0, err
		}
	}
}
