package draft

import (
	"context"
	"errors"
	"os"
	"time"

	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// Publisher sends what a draft has queued. It is called without locks.
type Publisher interface {
	Publish(ctx context.Context) error // sends it, by Draft.Send
	Delayed(why error)                 // it could not be sent yet, as often as that happens; it is tried again
	// Published tells that nothing is queued any more: it was sent, or refused for good.
	Published(refused error)
}

// Queuing is what Queue is told.
type Queuing struct {
	Dir     int64 // the category of a PDF beside a paper, 0: it is source.pdf
	New     bool  // there was no paper of its name
	Written time.Time
	Seen    string                     // what the paper is known to have: while others change that, it is not sent; "" for whatever it has
	Check   func(remote.Content) error // what does not pass fails, and is not sent
}

// Queue has what was written since the last Send or Queue sent, once that it will be is
// durable. PublishBy has to follow. It fails with os.ErrClosed after Close; a Close that
// comes before PublishBy takes the content out again.
func (d *Draft) Queue(q Queuing) error {
	before, err := d.sizeBefore()
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return os.ErrClosed
	}
	gen, err := d.unsent()
	if gen == 0 || err != nil {
		return err
	}
	if err := q.Check(d.spool.Content()); err != nil {
		d.failed(err, gen)
		return err
	}
	row := d.record
	row.dir, row.isNew, row.spool, row.written, row.again = q.Dir, q.New, d.spool.Serial, q.Written, d.spool.Size == before
	row.size, row.seen = d.spool.Size, q.Seen
	if d.MayBeThere() { // what was queued before may have its effect yet
		row.seen = ""
	}
	if err := d.keepQueued(row); err != nil {
		d.failed(err, gen)
		return err
	}
	d.letGo()
	d.spool.Frozen++
	d.closed = d.spool
	d.noteQueued(gen)
	d.set.Outbox.Add(d, 0)
	return nil
}

// sizeBefore is the length of what was sent last for the paper, 0 where nothing was.
func (d *Draft) sizeBefore() (size int64, err error) {
	d.mu.Lock()
	paper := d.paper
	d.mu.Unlock()
	if paper != 0 && d.set.o.SentPDF != nil {
		_, size, err = d.set.o.SentPDF(paper)
	}
	return size, err
}

// keepQueued returns when the content and its row are durable; d.mu must be held.
func (d *Draft) keepQueued(row record) error {
	// It may have been queued before, and the row could not tell that it was taken out.
	if err := d.set.o.Spools.Unmark(d.ino, d.spool.Serial); err != nil {
		return err
	}
	if err := d.set.o.Spools.Sync(d.spool); err != nil {
		return err
	}
	d.spool.Keep()
	row.kept = d.spool.Kept
	if err := d.set.note(row); err != nil {
		return err
	}
	d.record = row
	return d.set.o.Sound.Sync(d.set.o.State.Sync)
}

// PublishBy has what is queued sent by to.
func (d *Draft) PublishBy(to Publisher) {
	d.known.Lock()
	d.publisher = to
	d.known.Unlock()
	d.set.Outbox.Offer(d)
}

func (d *Draft) publishedBy() Publisher {
	d.known.Lock()
	defer d.known.Unlock()
	return d.publisher
}

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

// Queued reports whether something is queued. It waits for nothing.
func (d *Draft) Queued() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.queued > 0
}

// Unqueue has nothing sent of what is queued: its name was removed. A request that is out
// whole goes on, and may have its effect.
func (d *Draft) Unqueue() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unqueue()
	d.set.Outbox.Drop(d)
}

// unqueue is Unqueue for the draft's part; d.mu must be held.
func (d *Draft) unqueue() {
	if d.closed == nil {
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
	d.letGo() // after its row: a row whose content is gone tells of a loss
}

// letGo drops what was queued where nobody else uses it; d.mu must be held.
func (d *Draft) letGo() {
	sp := d.closed
	if sp == nil {
		return
	}
	d.closed = nil
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.set.o.Spools.Drop(sp)
	}
}

// Making keeps whether an attempt may have made the paper of what is queued.
func (d *Draft) Making(may bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed == nil || d.making == may {
		return nil
	}
	row := d.record
	row.making = may
	if err := d.set.note(row); err != nil {
		return err // it is noted at the next try
	}
	d.record = row
	return nil
}

// Forsake has nothing come of what was written, which lost its name: a kill brings nothing of
// it back, nor does a full disk. A request that is out whole goes on, and may have its effect.
func (d *Draft) Forsake() {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, sp := range []*spool.File{d.closed, d.spool} {
		if sp != nil && !sp.Disown() {
			_ = os.Remove(sp.Path) // who has it open keeps it; it is not kept for reading
		}
	}
	d.unqueue()
	d.set.Outbox.Drop(d)
}

// SetWritten changes when what is queued was written.
func (d *Draft) SetWritten(at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed == nil {
		return nil
	}
	d.written = at
	return d.set.note(d.record)
}
