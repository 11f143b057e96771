package catalogue

import (
	"context"
	"time"

	"paperfs/cache/snapshot"
	"paperfs/remote"
)

// announce sends the notices of a new snapshot. install must be held: it keeps the
// notices in order.
func (c *Catalogue) announce(old, fresh *Snapshot, d Diff) {
	ring(c.dirty)
	if old == nil || d.Empty() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retireLocked(old)
	if changed := c.changed; changed != nil {
		c.notices.Add(func() { changed(old, fresh, d) })
	}
}

// Told waits until Changed has returned for all changes so far.
func (c *Catalogue) Told(ctx context.Context) { c.notices.Told(ctx) }

func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// savePause is the least time between two saves.
const savePause = 5 * time.Second

// edition tells snapshots apart without keeping them in memory.
type edition struct {
	version   uint64
	fetched   time.Time
	validator remote.Validator
}

func (s *Snapshot) edition() edition {
	if s == nil {
		return edition{}
	}
	return edition{s.version, s.fetched, s.validator}
}

// keepSaved writes the tree to its file whenever it has changed. At Close it also
// writes what a fetch of the same tree has brought: its time and its validator.
func (c *Catalogue) keepSaved(last edition) {
	snapshot.Keep(c.ctx, c.dirty, savePause, func(end bool) bool {
		if !end && c.snap.Load().version == last.version {
			return false
		}
		last = c.saveAfter(last)
		return true
	})
}

// saveAfter saves the current snapshot unless it is last, and returns the one that
// is saved now. If only the time of the fetch differs, it sets the file's time.
func (c *Catalogue) saveAfter(last edition) edition {
	s := c.snap.Load()
	now := s.edition()
	if c.o.Saved == "" || now == last {
		return last
	}
	same := edition{now.version, last.fetched, now.validator} == last
	if same && touch(c.o.Saved, now.fetched) == nil {
		return now
	}
	if err := save(c.o.Saved, c.origin(), s); err != nil {
		c.o.Log.Warn("the catalogue cannot be saved", "file", c.o.Saved, "error", err)
		return last
	}
	return now
}
