package draft

import (
	"cmp"
	"os"
	"slices"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/spool"
)

// Spoil has nothing of the draft sent until more is written: what is there is
// not whole. It is kept in failed/, with the reason. It waits for nothing: what
// a Send that is under way sends was whole when that began.
func (d *Draft) Spoil(reason error) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.fail == nil || d.failedAt != 0 { // what a failed write left is not sent in any case
		d.fail, d.failedAt = failed.Unfinished(reason), d.gen
	}
}

// Close ends the draft. What was sent goes to the content cache, what could
// not be sent to failed/. It waits for a Send that is under way.
func (d *Draft) Close() {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeLocked()
}

// Release ends the draft for who must not wait. What nobody has tried to send
// is sent first, by last; that, and a Send that is under way, go on in the background, and
// the store's Close waits for them. It calls ended once what was sent can be read from
// the content cache.
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
		end() // the mount has ended: nobody waits
		return
	}
	d.set.countReleased(+1)
	go func() {
		defer d.set.o.Leave()
		end()
		d.set.countReleased(-1)
	}()
}

// closeUnsent is Close where that waits for nothing and nothing is to be sent.
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
	if d.pending != nil { // who has queued it did so while its end was on its way, and has nobody to send it
		d.unqueueLocked()
		d.set.Outbox.Drop(d)
	}
	d.known.Lock()
	defer d.known.Unlock()
	s, sp := d.set, d.spool
	d.spool, d.ended = nil, true // who closes it once more finds nothing
	s.ends(d)
	switch {
	case sp == nil:
		return // nothing was written
	case d.gen == d.sent && d.sum != "":
		if !d.putAway(sp, d.sum, true) {
			return // the next mount sees to it
		}
	case d.fail != nil && sp.Size > 0 && !refusal.Is(d.fail, refusal.Full): // else a torso without room; its writer was told
		if !d.keepFailed(sp, d.fail, failed.IsUnfinished(d.fail) || d.failedAt == 0) {
			return // the next mount sees to it
		}
	default:
		s.o.Spools.Drop(sp)
	}
	s.forget(d.record)
}

// keepFailed moves content to failed/, and reports whether it could.
func (d *Draft) keepFailed(sp *spool.File, reason error, unfinished bool) bool {
	s := d.set
	sp.Close()
	add := s.o.Failures.Add
	if d.older {
		add = s.o.Failures.AddOlder
	}
	err := add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(),
		Unfinished: unfinished, Paper: d.paper, Overtaken: refusal.Is(reason, refusal.Exists)})
	if err != nil {
		s.o.Log.Error("content that was not published stays in the spool", "path", d.path, "error", err)
	}
	return err == nil
}

// Unlink has the next mount find nothing of the draft, which goes on until Close; of
// what is being sent, or could not be, that decides.
func (d *Draft) Unlink() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Lock()
	failed := d.fail != nil
	d.known.Unlock()
	if d.spool == nil || d.spool.Frozen > 0 || failed {
		return
	}
	_ = os.Remove(d.spool.Path) // else Close does
	d.set.forget(d.record)
}

// CloseRefused ends the drafts that could not be sent and have a temporary name still, with
// the reason; the next mount would not know it. Of several for one path the newest has that path in
// failed/.
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

// closeAfter is Close, with the paths that have newer content in failed/ already. It returns its own.
func (d *Draft) closeAfter(newer map[string]bool) (path string) {
	d.mu.Lock()
	path, d.older = d.path, newer[d.path]
	d.mu.Unlock()
	d.Close()
	return path
}
