package media

import (
	"context"
	"errors"
	"os"

	"paperfs/cache/media/outbox"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// Send has what was written since the last Send sent, or what is queued, by send, which
// gives the SHA-256 of the content. It does nothing when nothing was written, and fails
// after a write that failed.
func (d *Draft) Send(send func(remote.Content) (sha256 string, err error)) error {
	return d.send(send, false)
}

// SendQueued is Send of what is queued alone: where that was taken out, it does nothing.
func (d *Draft) SendQueued(send func(remote.Content) (sha256 string, err error)) error {
	return d.send(send, true)
}

func (d *Draft) send(send func(remote.Content) (sha256 string, err error), queuedAlone bool) error {
	d.sending.Lock()
	defer d.sending.Unlock()
	sp, path, gen, queued, err := d.freeze(queuedAlone)
	if sp == nil || err != nil {
		return err
	}
	content := sp.Content()
	content.Path, content.Since = path, d.store.o.Now()
	if queued != nil {
		content.Gate = draftGate{queued, d}
		defer d.cancelled(nil)
	}
	wasOut, seen := d.MayBeThere(), d.Seen()
	d.store.progress.begin(content)
	defer d.store.progress.end(content)
	sum, err := send(content)
	d.mu.Lock()
	defer d.mu.Unlock()
	if queued != nil {
		d.answered(sp, err, wasOut, seen)
	}
	if err == nil {
		d.wasSent(gen, sum)
	}
	if err == nil && sp == d.closed {
		d.unqueue()
	}
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.putAway(sp, sum, err == nil)
	}
	switch {
	case err != nil && queued != nil:
		return err // the queue tries it again
	case err != nil:
		d.failed(err, gen)
		return err
	}
	d.store.failures.Overtake(d.paper, d.path)
	return nil
}

// wasSent notes what was sent, before that leaves the queue: at no time is it neither.
func (d *Draft) wasSent(gen uint64, sum string) {
	d.known.Lock()
	defer d.known.Unlock()
	d.sum, d.sent = sum, gen
}

// freeze takes the content to be sent, nil if there is nothing to send, and returns where it
// goes. Queued content goes first, with its canceller; with queuedAlone, nothing else goes.
func (d *Draft) freeze(queuedAlone bool) (sp *spool.File, path string, gen uint64, queued *tree.Canceller, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed != nil {
		d.closed.Frozen++
		return d.closed, d.path, d.taken(), d.cancelled(new(tree.Canceller)), nil
	}
	if queuedAlone {
		return nil, "", 0, nil, nil
	}
	gen, err = d.unsent()
	if gen == 0 || err != nil || d.ended {
		return nil, "", 0, nil, err
	}
	d.spool.Frozen++
	return d.spool, d.path, gen, nil, nil
}

// taken is the newest generation that is sent or queued.
func (d *Draft) taken() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return max(d.sent, d.queued)
}

// putAway puts content into the cache that was sent, and drops other.
func (d *Draft) putAway(sp *spool.File, sum string, sent bool) (away bool) {
	if !sent {
		d.store.spools.Drop(sp)
		return true
	}
	return d.store.adopt(sp, sum, d.draftRow)
}

// unsent is the generation to be sent, 0 where there is nothing; d.mu must be
// held.
func (d *Draft) unsent() (gen uint64, err error) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.gen == max(d.sent, d.queued) || d.Size() == 0 && (d.fail == nil || d.failedAt != 0) {
		return 0, nil
	}
	if d.failedAt != 0 && d.gen > d.failedAt {
		d.fail, d.failedAt = nil, 0
	}
	return d.gen, d.fail
}

// Clean reports whether everything that was written is sent. It waits for
// nothing: while a Send is under way it is not.
func (d *Draft) Clean() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen == d.sent
}

// Generation is a number for what is written now: each write raises it.
func (d *Draft) Generation() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen
}

// Sent reports whether a generation is at the service, or queued, in itself or in a newer one.
func (d *Draft) Sent(generation uint64) bool { return generation <= d.taken() }

// SHA256 is the hash of what was sent last, "" where nothing was.
func (d *Draft) SHA256() string {
	d.known.Lock()
	defer d.known.Unlock()
	return d.sum
}

// Failure is why the last write or Send failed, nil where none has. It waits for nothing.
func (d *Draft) Failure() error {
	d.known.Lock()
	defer d.known.Unlock()
	return d.fail
}

// Untried reports whether something was written that nobody has tried to send. It
// waits for a Send that is under way.
func (d *Draft) Untried() bool {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.untried()
}

// untried is Untried; d.mu must be held.
func (d *Draft) untried() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen != max(d.sent, d.queued) && (d.fail == nil || d.failedAt != 0 && d.gen > d.failedAt) && d.Size() > 0
}

// OpenSent opens what was sent, by its SHA-256, before Close puts it into the content
// cache; os.ErrNotExist where the draft has other content, or has ended.
func (d *Draft) OpenSent(sha256 string) (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Lock()
	is := d.gen == d.sent && d.sum == sha256
	d.known.Unlock()
	if !is || d.spool == nil {
		return nil, os.ErrNotExist
	}
	return os.Open(d.spool.Path)
}

// PinPDFs has PDFs that were sent for a paper stay in the content cache, by their SHA-256.
// Others of it may go.
func (s *Store) PinPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// OpenContent opens published content by its SHA-256; os.ErrNotExist where it
// is not held here.
func (s *Store) OpenContent(sha256 string) (*os.File, error) { return s.contents.Open(sha256) }

// sendPDF sends what is queued of a draft, and sees to what comes of it.
func (s *Store) sendPDF(ctx context.Context, d *Draft, last error) {
	d.mu.Lock()
	sp := d.closed
	d.mu.Unlock()
	to := d.publishedBy()
	err := to.Publish(ctx)
	outcome := s.pdfOutcome(ctx, err)
	s.mu.Lock()
	if err == nil || outcome == outbox.Blocked {
		s.noteBarredLocked(err)
	}
	s.mu.Unlock()
	over, mine := d.concluded(sp, outcome, err)
	switch {
	case over && outcome == outbox.Refused:
		to.Published(err)
	case over:
		to.Published(nil)
	case mine && outcome != outbox.Interrupted && err != nil && (last == nil || last.Error() != err.Error()):
		to.Delayed(err)
	}
}

// concluded notes how an attempt to send sp ended. It reports whether nothing is queued any
// more, and whether the entry is that of the attempt.
func (d *Draft) concluded(sp *spool.File, outcome outbox.Outcome, err error) (over, mine bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if outcome == outbox.Refused {
		if d.closed == sp {
			d.refuse(err)
		} else {
			outcome = outbox.Interrupted // a newer close has queued other content
		}
	}
	if over = d.closed == nil; over {
		d.store.pdfs.Drop(d)
	}
	mine = d.store.pdfs.Ended(d, outcome, err)
	d.store.pdfs.Offer(d)
	return over, mine
}

// refuse takes what is queued out, for a reason: it goes to failed/, now where newer content
// is being written, else with the last who has it open; d.mu must be held.
func (d *Draft) refuse(reason error) {
	sp := d.closed
	if sp == nil {
		return
	}
	if sp == d.spool {
		d.failed(reason, d.taken())
	} else if sp.Frozen == 1 {
		d.keepFailed(sp, reason, false) // unqueue finds no file to drop
	}
	d.unqueue()
}

// pdfOutcome is what an attempt says of what was queued.
func (s *Store) pdfOutcome(ctx context.Context, err error) outbox.Outcome {
	e, _ := errors.AsType[*remote.Error](err)
	switch {
	case err == nil:
		return outbox.Sent
	case context.Cause(ctx) == outbox.ErrCancelled, errors.Is(err, outbox.ErrCancelled), interrupted(err) && s.pdfs.Closed():
		return outbox.Interrupted
	case general(err):
		return outbox.Blocked
	case e != nil && e.Code == remote.AlreadyBeingProcessed, passing(err), ours(err), interrupted(err):
		return outbox.Failed
	}
	return outbox.Refused
}
