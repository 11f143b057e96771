package catalogue

import (
	"slices"
	"time"
)

// A replaced tree stays available for the time recently, but at most recentTrees of them
// do: each holds a copy of the overlay.
const (
	recently    = 2 * time.Second
	recentTrees = 16
)

// Recent returns the newest tree for which fits returns true, the current one or one that
// was replaced recently, or nil. So a program that has read half of a listing reads the
// rest from the same tree.
func (c *Catalogue) Recent(fits func(*Snapshot) bool) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.Peek(); s != nil && fits(s) {
		return s
	}
	if i := slices.IndexFunc(c.replaced, func(r retired) bool { return fits(r.tree) }); i >= 0 {
		return c.replaced[i].tree
	}
	return nil
}

// retireLocked makes a replaced tree available to Recent for a while. The caller holds mu.
func (c *Catalogue) retireLocked(old *Snapshot) {
	if len(c.replaced) == recentTrees {
		c.replaced[0].timer.Stop()
		c.replaced = slices.Delete(c.replaced, 0, 1)
	}
	end := time.AfterFunc(recently, func() {
		c.mu.Lock()
		c.replaced = slices.DeleteFunc(c.replaced, func(r retired) bool { return r.tree == old })
		c.mu.Unlock()
		if now := c.Peek(); now.base != old.base {
			releaseMemory(now)
		}
	})
	c.replaced = append(c.replaced, retired{old, end})
}
