package draft

import (
	"errors"
	"os"

	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// noteQueued notes the generation that is queued, 0 for none.
func (d *Draft) noteQueued(gen uint64) {
	d.known.Lock()
	defer d.known.Unlock()
	d.queued = gen
}

// cancelled sets what stops the request that sends what is queued, nil for none.
func (d *Draft) cancelled(by *tree.Canceller) *tree.Canceller {
	d.known.Lock()
	defer d.known.Unlock()
	d.canceller = by
	return by
}

// stop has what is queued not be sent, and ends the request that is sending it, unless all of
// that is out: then the service may have it, and what follows waits for the answer.
func (d *Draft) stop() {
	was, there := d.set.Outbox.Cancel(d)
	d.known.Lock()
	request := d.canceller
	d.known.Unlock()
	if there && was.Active() && (request == nil || request.Cancel()) {
		d.set.Outbox.Interrupt(d)
	}
}

// Unqueue takes what is queued out of the queue, because its name was removed. A request
// whose body is sent whole goes on, and may have its effect.
func (d *Draft) Unqueue() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unqueueLocked()
	d.set.Outbox.Drop(d)
}

// unqueueLocked is Unqueue for the draft's part; d.mu must be held.
func (d *Draft) unqueueLocked() {
	if d.pending == nil {
		return
	}
	d.noteQueued(0)
	serial := d.record.spool
	d.record.spool = 0
	if err := d.set.note(d.record); err != nil {
		if gone := d.set.o.Spools.MarkGone(d.ino, serial); gone != nil {
			d.set.o.Log.Warn("a PDF that was queued is sent once more after the next mount", "path", d.path, "error", errors.Join(err, gone))
		}
	}
	d.letGoLocked() // after its row: a row whose content is gone tells of a loss
}

// letGoLocked drops what was queued where nobody else uses it; d.mu must be held.
func (d *Draft) letGoLocked() {
	sp := d.pending
	if sp == nil {
		return
	}
	d.pending = nil
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.set.o.Spools.Drop(sp)
	}
}

// Forsake has nothing come of what was written, which lost its name: a kill brings nothing of
// it back, nor does a full disk. A request that is out whole goes on, and may have its effect.
func (d *Draft) Forsake() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, sp := range []*spool.File{d.pending, d.spool} {
		if sp != nil && !sp.Disown() {
			_ = os.Remove(sp.Path) // who has it open keeps it; it is not kept for reading
		}
	}
	d.unqueueLocked()
	d.set.Outbox.Drop(d)
}
