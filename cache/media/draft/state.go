package draft

import "os"

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
	return d.untriedLocked()
}

// untriedLocked is Untried; d.mu must be held.
func (d *Draft) untriedLocked() bool {
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
