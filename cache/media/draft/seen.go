package draft

import (
	"errors"

	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// Seen is what Queue was told that the paper of what is queued has, "" for whatever it has. It is
// that, too, once the service may have what was queued here: the paper may have that.
func (d *Draft) Seen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil {
		return ""
	}
	return d.seen
}

// Unsee has Seen be "", which outlives a kill.
func (d *Draft) Unsee() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.setSeenLocked("")
}

// setSeenLocked is Unsee, and undoes it; d.mu must be held.
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

// MayBeThere reports whether the service may have something that was queued here, though no answer
// has told so: it came too late, or not at all.
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

// gate is that of a request that sends what is queued. Before all of it is out, the service has
// nothing; a kill until then changes nothing of what was seen.
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
	return g.d.Unsee()
}

// answeredLocked is called with what came of a request that has sent sp, which was queued, and with what was
// before it; d.mu must be held.
func (d *Draft) answeredLocked(sp *spool.File, err error, wasOut bool, seen string) {
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case err == nil:
		d.setOut(false)
	case ok && !e.Ambiguous && !wasOut:
		d.setOut(false)
		if d.pending == sp {
			_ = d.setSeenLocked(seen) // else the next attempt asks nothing
		}
	}
}
