package media

import "cmp"

// A write that fails leaves a torso: what the same program writes behind it
// does not make that whole, nor does what others add to it. Nobody publishes
// it. What empties the file ends it, unless the handle of the failed write
// does: that one's close has to fail, too.

// Break notes that a write on this handle failed before it came here: the
// handle publishes nothing any more.
func (h *Handle) Break(err error) {
	b := h.node.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.noteTorn(h, err)
}

// Torn is why nobody will publish what this handle has written, nil where somebody
// may.
func (h *Handle) Torn() error {
	b := h.node.body()
	b.mu.RLock()
	torn := h.broken
	if torn == nil && h.gen > b.sent {
		torn = b.torn
	}
	b.mu.RUnlock()
	if h.store.stays(h.node) {
		return nil
	}
	return torn
}

// noteTorn notes after an edit through h, which failed unless err is nil, whether
// the content is a torso; b.mu must be held.
func (b *body) noteTorn(h *Handle, err error) {
	h.broken = cmp.Or(h.broken, err)
	switch {
	case b.allQueued(): // nothing has changed of what a close took over
		return
	case h.broken != nil:
		b.torn = h.broken
	case b.spool != nil && b.spool.Size == 0:
		b.torn = nil
	}
	if b.torn != nil {
		b.fail = &failed{gen: b.gen, err: unfinished{b.torn}}
	}
}

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
