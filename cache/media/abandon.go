package media

// Abandon notes that what was written until now may not be the whole, since who
// wrote it was killed: it is not published unless more is written, and a Flush
// fails with the reason. With the last handle it goes to failed/.
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
	b.fail = &failed{gen: b.gen, err: unfinished{reason}, abandoned: true}
}

// abandoned is why nothing of the content is published until more is written,
// nil where that is not so; b.mu must be held.
func (b *body) abandoned() error {
	if b.fail != nil && b.fail.abandoned && b.fail.gen == b.gen {
		return b.fail.err
	}
	return nil
}
