package draft

import (
	"errors"
	"os"

	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// noteQueued sets the queued generation, 0 for none.
func (d *Draft) noteQueued(gen uint64) {
	d.known.Lock()
	defer d.known.Unlock()
	d.queued = gen
}

// cancelled sets and returns the Canceller of the request that sends the queued content, nil
// for none.
func (d *Draft) cancelled(by *tree.Canceller) *tree.Canceller {
	d.known.Lock()
	defer d.known.Unlock()
	d.canceller = by
	return by
}

// stop keeps the queued content from being sent and cancels the request that is sending it. If
// all content is already sent, the service may have it, and the caller waits for the answer.
func (d *Draft) stop() {
	was, there := d.set.Outbox.Cancel(d)
	d.known.Lock()
	request := d.canceller
	d.known.Unlock()
	if there && was.Active() && (request == nil || request.Cancel()) {
		d.set.Outbox.Interrupt(d)
	}
}

// Unqueue removes the queued content from the queue because its name was removed. A request
// that was sent completely continues and may take effect.
func (d *Draft) Unqueue() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unqueueLocked()
	d.set.Outbox.Drop(d)
}

// unqueueLocked is Unqueue without the outbox; d.mu must be held.
func (d *Draft) unqueueLocked() {
	if d.pending == nil {
		return
	}
	d.noteQueued(0)
	serial := d.record.spool
	d.record.spool = 0
	if err := d.set.note(d.record); err != nil {
		if gone := d.set.o.Spools.MarkGone(d.ino, serial); gone != nil {
			d.set.o.Log.Warn("cannot record that a PDF left the queue; the next mount sends it", "path", d.path, "error", errors.Join(err, gone))
		}
	}
	d.dropPendingLocked() // after its row, since a row without content would be reported as a loss
}

// dropPendingLocked drops content that was queued, if nothing else uses it; d.mu must be held.
func (d *Draft) dropPendingLocked() {
	sp := d.pending
	if sp == nil {
		return
	}
	d.pending = nil
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.set.o.Spools.Drop(sp)
	}
}

// DropContent discards everything written, because its name was removed: neither a kill nor a full
// disk brings it back. A request that was sent completely continues and may take effect.
func (d *Draft) DropContent() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, sp := range []*spool.File{d.pending, d.spool} {
		if sp != nil && !sp.Disown() {
			_ = os.Remove(sp.Path) // open handles keep it; it will not be cached
		}
	}
	d.unqueueLocked()
	d.set.Outbox.Drop(d)
}
