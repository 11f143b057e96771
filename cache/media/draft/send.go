package draft

import (
	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Send sends the queued content, or else what was written since the last Send, using send,
// which returns the SHA-256 of the content. If there is nothing to send, it does nothing. After
// a failed write it fails.
func (d *Draft) Send(send func(remote.Content) (sha256 string, err error)) error {
	return d.send(send, false)
}

// SendQueued sends queued content only. If the content was removed from the queue, it does
// nothing.
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
	content.Path, content.Since = path, d.set.o.Now()
	if queued != nil {
		content.Gate = gate{queued, d}
		defer d.cancelled(nil)
	}
	wasOut, seen := d.MayBeThere(), d.Seen()
	d.set.o.Progress.Begin(content)
	defer d.set.o.Progress.End(content)
	sum, err := send(content)
	d.mu.Lock()
	defer d.mu.Unlock()
	if queued != nil {
		d.answeredLocked(sp, err, wasOut, seen)
	}
	if err == nil {
		d.noteSent(gen, sum)
	}
	if err == nil && sp == d.pending {
		d.unqueueLocked()
	}
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.cacheOrDrop(sp, sum, err == nil)
	}
	switch {
	case err != nil && queued != nil:
		return err // the queue retries it
	case err != nil:
		d.failed(err, gen)
		return err
	}
	d.set.o.Failures.Overtake(d.paper, d.path)
	return nil
}

// noteSent records the sent generation. It is called before the content leaves the queue, so
// that the content is always either queued or sent.
func (d *Draft) noteSent(gen uint64, sum string) {
	d.known.Lock()
	defer d.known.Unlock()
	d.sum, d.sent = sum, gen
}

// freeze freezes the content to be sent, and returns it with its path; sp is nil if there is
// nothing to send. Queued content goes first, with its Canceller; with queuedAlone, nothing
// else is sent.
func (d *Draft) freeze(queuedAlone bool) (sp *spool.File, path string, gen uint64, queued *tree.Canceller, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending != nil {
		d.pending.Frozen++
		return d.pending, d.path, d.sentOrQueued(), d.cancelled(new(tree.Canceller)), nil
	}
	if queuedAlone {
		return nil, "", 0, nil, nil
	}
	gen, err = d.unsentLocked()
	if gen == 0 || err != nil || d.ended {
		return nil, "", 0, nil, err
	}
	d.spool.Frozen++
	return d.spool, d.path, gen, nil, nil
}

// sentOrQueued returns the newest generation that is sent or queued.
func (d *Draft) sentOrQueued() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return max(d.sent, d.queued)
}

// cacheOrDrop moves sent content to the cache, and drops other content.
func (d *Draft) cacheOrDrop(sp *spool.File, sum string, sent bool) (away bool) {
	if !sent {
		d.set.o.Spools.Drop(sp)
		return true
	}
	return d.set.adopt(sp, sum, d.record)
}

// unsentLocked returns the generation to be sent, 0 if there is none; d.mu must be held.
func (d *Draft) unsentLocked() (gen uint64, err error) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.gen == max(d.sent, d.queued) || d.Size() == 0 && !d.verdict.Final {
		return 0, nil
	}
	if !d.verdict.Final && d.gen > d.verdict.Gen {
		d.verdict = tree.Verdict{}
	}
	return d.gen, d.verdict.Reason
}

// adopt moves sent content to the cache. If the cache has no room, the content moves to
// failed/, since the service does not return it. It reports false if the content stays in the
// spool.
func (s *Set) adopt(sp *spool.File, sum string, row record) bool {
	sp.Close()
	err := s.o.Contents.Take(sp.Path, sum)
	if err == nil {
		s.o.Room.Give(sp.Size)
		return true
	}
	s.o.Log.Warn("cannot cache published content", "path", row.path, "error", err)
	reason := "the service has this PDF, but does not return it, and paperfs could not keep its own copy: " + err.Error()
	err = s.o.Failures.AddSent(sp.Path, failed.Entry{Path: row.path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: row.paper})
	if err != nil {
		s.o.Log.Error("a PDF that was sent stays in the spool", "path", row.path, "error", err)
	}
	return err == nil
}
