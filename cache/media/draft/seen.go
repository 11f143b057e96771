package draft

import (
	"errors"

	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Seen returns what Queue was told that the paper has; "" allows anything. It becomes "" once
// the service may have content that was queued here, because the paper may then have that
// content.
func (d *Draft) Seen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil {
		return ""
	}
	return d.seen
}

// ClearSeen sets Seen to "". The change survives a kill.
func (d *Draft) ClearSeen() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.setSeenLocked("")
}

// setSeenLocked sets Seen; d.mu must be held.
func (d *Draft) setSeenLocked(seen string) error {
	if d.pending == nil || d.seen == seen {
		return nil
	}
	row := d.record
	row.seen = seen
	if err := d.set.note(row); err != nil {
		return err
	}
	d.record = row
	return nil
}

// MayBeThere reports whether the service may have queued content although no answer confirmed
// it: the answer was late or missing.
func (d *Draft) MayBeThere() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.out
}

func (d *Draft) setOut(out bool) (was bool) {
	d.known.Lock()
	defer d.known.Unlock()
	was, d.out = d.out, out
	return was
}

// gate is the spool.Gate of a request that sends queued content. Until all content is sent, the
// service has nothing, and a kill does not change Seen.
type gate struct {
	*tree.Canceller
	d *Draft
}

// Finish implements spool.Gate.
func (g gate) Finish() error {
	if err := g.Canceller.Finish(); err != nil {
		return err
	}
	g.d.setOut(true)
	return g.d.ClearSeen()
}

// answeredLocked records the outcome of a request that sent the queued spool sp. wasOut and
// seen are the values from before the request. d.mu must be held.
func (d *Draft) answeredLocked(sp *spool.File, err error, wasOut bool, seen string) {
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case err == nil:
		d.setOut(false)
	case ok && !e.Ambiguous && !wasOut:
		d.setOut(false)
		if d.pending == sp {
			_ = d.setSeenLocked(seen) // if this fails, the next attempt does not check the paper
		}
	}
}
