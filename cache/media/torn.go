package media

// A write that fails leaves a torso: what the same program writes behind it
// does not make that whole, nor does what others add to it. Nobody publishes
// it. What empties the file ends it, unless the handle of the failed write
// does: that one's close has to fail, too.

// noteTorn notes after an edit through h whether the content is a torso; b.mu
// must be held.
func (b *body) noteTorn(h *Handle) {
	switch {
	case b.allQueued(): // nothing has changed of what a close took over
		return
	case h.broken != nil:
		b.torn = h.broken
	case b.spool != nil && b.spool.size == 0:
		b.torn = nil
	}
	if b.torn != nil {
		b.fail = &failed{gen: b.gen, err: b.torn}
	}
}
