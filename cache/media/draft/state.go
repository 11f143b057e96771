package draft

import "os"

// Clean reports whether everything written is sent. It does not wait: during a Send it returns
// false.
func (d *Draft) Clean() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen == d.sent
}

// Generation returns the current write generation.
func (d *Draft) Generation() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen
}

// Sent reports whether a generation, or a newer one, is at the service or queued.
func (d *Draft) Sent(generation uint64) bool { return generation <= d.sentOrQueued() }

// SHA256 returns the hash of the content sent last, "" if there is none.
func (d *Draft) SHA256() string {
	d.known.Lock()
	defer d.known.Unlock()
	return d.sum
}

// Failure returns the error of the last write or Send, nil if it succeeded. It does not wait.
func (d *Draft) Failure() error {
	d.known.Lock()
	defer d.known.Unlock()
	return d.verdict.Reason
}

// Untried reports whether there is written content that no Send has tried. It waits for a Send
// in progress.
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
	return d.gen != max(d.sent, d.queued) && (d.verdict.Reason == nil || !d.verdict.Final && d.gen > d.verdict.Gen) && d.Size() > 0
}

// OpenSent opens the sent content with a SHA-256 before Close moves it to the content cache. It
// returns os.ErrNotExist if the draft has other content or has ended.
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
