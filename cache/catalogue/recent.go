package catalogue

import (
	"slices"
	"time"
)

// recently is how long a tree that was replaced can still be had.
const recently = 2 * time.Second

// Recent is the first that fits of the current tree and of those that it
// replaced in the last two seconds; nil where there is none. Who has read half
// of a listing goes on with it in the tree that he began with.
func (c *Catalogue) Recent(fits func(*Snapshot) bool) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.Peek(); s != nil && fits(s) {
		return s
	}
	if i := slices.IndexFunc(c.replaced, fits); i >= 0 {
		return c.replaced[i]
	}
	return nil
}

// retireLocked keeps a tree that was replaced for a while, under mu.
func (c *Catalogue) retireLocked(old *Snapshot) {
	c.replaced = append(c.replaced, old)
	time.AfterFunc(recently, func() {
		c.mu.Lock()
		c.replaced = slices.DeleteFunc(c.replaced, func(s *Snapshot) bool { return s == old })
		c.mu.Unlock()
		if now := c.Peek(); now.base != old.base {
			giveBack(now)
		}
	})
}
