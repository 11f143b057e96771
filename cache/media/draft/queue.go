package draft

import (
	"os"
	"time"

	"paperfs/remote"
)

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
	gen, err := d.unsentLocked()
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
	if err := d.keepQueuedLocked(row); err != nil {
		d.failed(err, gen)
		return err
	}
	d.letGoLocked()
	d.spool.Frozen++
	d.pending = d.spool
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

// keepQueuedLocked returns when the content and its row are durable; d.mu must be held.
func (d *Draft) keepQueuedLocked(row record) error {
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

// Queued reports whether something is queued. It waits for nothing.
func (d *Draft) Queued() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.queued > 0
}

// Making keeps whether an attempt may have made the paper of what is queued.
func (d *Draft) Making(may bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil || d.making == may {
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

// SetWritten changes when what is queued was written.
func (d *Draft) SetWritten(at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil {
		return nil
	}
	d.written = at
	return d.set.note(d.record)
}
