package media

// Abandon notes that who closed the handle was killed, so that what was
// written until now is not the whole: it is not published unless more is
// written, or a Flush says that it is whole after all. Otherwise it goes to
// failed/ with the last handle, with the reason.
func (h *Handle) Abandon(reason error) {
	if h.Clean() || h.store.stays(h.node) {
		return
	}
	b := h.node.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.torn != nil {
		return // it is not published in any case
	}
	b.fail = &failed{gen: b.gen, err: reason, by: h}
}

// Abandoned reports whether nothing was written since the file was abandoned.
func (h *Handle) Abandoned() bool {
	b := h.node.body()
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.abandoned()
}

// abandoned is Abandoned for who holds b.mu.
func (b *body) abandoned() bool {
	return b.fail != nil && b.fail.by != nil && b.fail.gen == b.gen
}

// takeBack notes that the content is whole although somebody who had it open
// was killed, if h has a say in it; b.mu must be held.
func (b *body) takeBack(h *Handle) {
	if b.abandoned() && (b.fail.by == h || h.gen == b.gen) {
		b.fail = nil
	}
}
