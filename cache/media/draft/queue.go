package draft

import (
	"os"
	"time"

	"paperfs/remote"
)

// Queuing has the arguments of Queue.
type Queuing struct {
	Dir     int64 // category of a PDF next to a paper's directory, 0 for source.pdf
	New     bool  // no paper had its name
	Written time.Time
	Seen    string                     // what the paper is known to have; not sent if others change that; "" allows anything
	Check   func(remote.Content) error // validates the content; on an error nothing is queued
}

// Queue queues what was written since the last Send or Queue, and returns once that is durable.
// The caller must call PublishBy next. After Close, Queue fails with os.ErrClosed; a Close
// before PublishBy removes the content from the queue.
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
	if d.MayBeThere() { // the content queued before may still take effect
		row.seen = ""
	}
	if err := d.keepQueuedLocked(row); err != nil {
		d.failed(err, gen)
		return err
	}
	d.dropPendingLocked()
	d.spool.Frozen++
	d.pending = d.spool
	d.noteQueued(gen)
	d.set.Outbox.Add(d, 0)
	return nil
}

// sizeBefore returns the length of the content last sent for the paper, 0 if there is none.
func (d *Draft) sizeBefore() (size int64, err error) {
	d.mu.Lock()
	paper := d.paper
	d.mu.Unlock()
	if paper != 0 && d.set.o.SentPDF != nil {
		_, size, err = d.set.o.SentPDF(paper)
	}
	return size, err
}

// keepQueuedLocked makes the content and its row durable; d.mu must be held.
func (d *Draft) keepQueuedLocked(row record) error {
	// It may have been queued and removed before, without that being written to the row.
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

// PublishBy sets the Publisher of the queued content.
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

// Queued reports whether content is queued. It does not wait.
func (d *Draft) Queued() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.queued > 0
}

// Making records whether an attempt may have created the paper of the queued content.
func (d *Draft) Making(may bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil || d.making == may {
		return nil
	}
	row := d.record
	row.making = may
	if err := d.set.note(row); err != nil {
		return err // the next attempt records it
	}
	d.record = row
	return nil
}

// SetWritten changes the time at which the queued content was written.
func (d *Draft) SetWritten(at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil {
		return nil
	}
	d.written = at
	return d.set.note(d.record)
}
