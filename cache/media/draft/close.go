package draft

import (
	"cmp"
	"os"
	"slices"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Spoil records that the content is incomplete, so that nothing is sent before more is written.
// The content goes to failed/ with the reason. Spoil does not wait: a Send in progress sends
// content that was complete when it began.
func (d *Draft) Spoil(reason error) {
	d.known.Lock()
	defer d.known.Unlock()
	if !d.verdict.Final { // after a failed write, nothing is sent in any case
		d.verdict = tree.Verdict{Reason: reason, Gen: d.gen, Final: d.gen == 0, Partial: true}
	}
}

// Close ends the draft. Sent content moves to the content cache, content that could not be sent
// to failed/. It waits for a Send in progress.
func (d *Draft) Close() {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeLocked()
}

// Release ends the draft for callers that must not wait. If content was never sent, last sends
// it first; this, and a Send in progress, continue in the background, and the store's Close
// waits for them. Release calls ended once sent content can be read from the content cache.
func (d *Draft) Release(last, ended func()) {
	if d.closeUnsent() {
		ended()
		return
	}
	end := func() {
		if d.Untried() {
			last()
		}
		d.Close()
		ended()
	}
	if d.set.o.Enter() != nil {
		end() // the mount has ended, so no caller waits
		return
	}
	d.set.released.Add(+1)
	go func() {
		defer d.set.o.Leave()
		end()
		d.set.released.Add(-1)
	}()
}

// closeUnsent closes the draft if that neither waits nor leaves anything to send, and reports
// whether it did.
func (d *Draft) closeUnsent() bool {
	if !d.sending.TryLock() {
		return false
	}
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.untriedLocked() {
		return false
	}
	d.closeLocked()
	return true
}

// closeLocked is Close; sending and mu must be held.
func (d *Draft) closeLocked() {
	if d.pending != nil { // a close queued it during the last release; nobody will send it
		d.unqueueLocked()
		d.set.Outbox.Drop(d)
	}
	s, sp := d.set, d.spool
	d.spool, d.ended = nil, true // closing it again does nothing
	s.written.Delete(d)
	d.known.Lock()
	clean, sum, verdict := d.gen == d.sent, d.sum, d.verdict
	d.known.Unlock()
	switch {
	case sp == nil:
		return // nothing was written
	case clean && sum != "":
		if !d.cacheOrDrop(sp, sum, true) {
			return // the next mount handles it
		}
	case verdict.Reason != nil && sp.Size > 0 && !refusal.Is(verdict.Reason, refusal.Full): // after Full, the writer knows that the content is incomplete
		if !d.keepFailed(sp, verdict) {
			return // the next mount handles it
		}
	default:
		s.o.Spools.Drop(sp)
	}
	s.forget(d.record)
}

// keepFailed moves content to failed/ and reports whether that succeeded.
func (d *Draft) keepFailed(sp *spool.File, why tree.Verdict) bool {
	s := d.set
	sp.Close()
	add := s.o.Failures.Add
	if d.older {
		add = s.o.Failures.AddOlder
	}
	err := add(sp.Path, failed.Entry{Path: d.path, Reason: why.Reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(),
		Unfinished: why.Partial || why.Final, Paper: d.paper, Overtaken: refusal.Is(why.Reason, refusal.Exists)})
	if err != nil {
		s.o.Log.Error("content that was not published stays in the spool", "path", d.path, "error", err)
	}
	return err == nil
}

// Unlink removes the draft for the next mount. The draft remains usable until Close, which
// decides about content that is being sent or could not be sent.
func (d *Draft) Unlink() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Lock()
	failed := d.verdict.Reason != nil
	d.known.Unlock()
	if d.spool == nil || d.spool.Frozen > 0 || failed {
		return
	}
	_ = os.Remove(d.spool.Path) // if this fails, Close removes it
	d.set.forget(d.record)
}

// CloseRefused closes the drafts that could not be sent and still have a temporary name, moving
// their content to failed/ with the reason; the next mount would not know the reason. Of
// several drafts for one path, the newest gets that path in failed/.
func (s *Set) CloseRefused() {
	drafts := s.withContent()
	slices.SortFunc(drafts, func(a, b *Draft) int { return cmp.Compare(b.ino, a.ino) })
	newer := map[string]bool{}
	for _, d := range drafts {
		if why := d.Failure(); why != nil && !refusal.Is(why, refusal.Full) && !d.Queued() {
			newer[d.closeAfter(newer)] = true
		}
	}
}

// closeAfter is Close, given the paths that already have newer content in failed/. It returns
// the draft's path.
func (d *Draft) closeAfter(newer map[string]bool) (path string) {
	d.mu.Lock()
	path, d.older = d.path, newer[d.path]
	d.mu.Unlock()
	d.Close()
	return path
}
