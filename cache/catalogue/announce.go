package catalogue

import (
	"context"
)

// announceLocked queues the notice of a new snapshot. The caller holds install, which
// keeps the notices in order.
func (c *Catalogue) announceLocked(old, fresh *Snapshot, d Diff) {
	c.dirty.Ring()
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

// WaitNotified waits until Changed has returned for all changes so far.
func (c *Catalogue) WaitNotified(ctx context.Context) { c.notices.WaitNotified(ctx) }
