package media

import (
	"cmp"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/tree"
)

// A write that fails leaves a torso: what the same program writes after it
// does not make that whole, nor does what others add to it. Nobody publishes
// it. What empties the file ends it, unless the handle of the failed write
// does: that one's close has to fail, too.

// Break notes that a write on this handle failed before it came here: the
// handle publishes nothing any more.
func (h *Handle) Break(err error) {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.noteTorn(b, err)
}

// Torn is why nobody will publish what this handle has written, nil where somebody
// may.
func (h *Handle) Torn() error {
	b := h.node.Body()
	b.Mu.RLock()
	torn := h.broken
	if torn == nil && h.gen > b.Sent {
		torn = b.Torn
	}
	b.Mu.RUnlock()
	if h.store.stays(h.node) {
		return nil
	}
	return torn
}

// noteTorn notes after an edit through h, which failed unless err is nil, whether
// the content is a torso; b.mu must be held.
func (h *Handle) noteTorn(b *tree.Body, err error) {
	h.broken = cmp.Or(h.broken, err)
	switch {
	case b.AllQueued(): // nothing has changed of what a close took over
		return
	case h.broken != nil:
		b.Torn = h.broken
	case b.Spool != nil && b.Spool.Size == 0:
		b.Torn = nil
	}
	if b.Torn != nil {
		b.Fail = &tree.Failure{Gen: b.Gen, Err: failed.Unfinished(b.Torn)}
	}
}

// Abandon notes that what was written until now may not be the whole, since who
// wrote it was killed: it is not published unless more is written, and a Flush
// fails with the reason. With the last handle it goes to failed/.
func (h *Handle) Abandon(reason error) {
	if h.Clean() || h.store.stays(h.node) {
		return
	}
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Torn != nil {
		return // it is not published in any case
	}
	b.Fail = &tree.Failure{Gen: b.Gen, Err: failed.Unfinished(reason), Abandoned: true}
}
