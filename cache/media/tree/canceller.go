package tree

import (
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
)

// Canceller stops an upload. A request that is cut before its last bytes certainly has no
// effect. A complete request may take effect, so its answer is worth waiting for.
type Canceller struct {
	Gen uint64 // generation of the content; only the sender uses it

	mu        lock.Mutex[lock.Gate]
	cancelled bool // no further request may complete
	whole     bool // the current request is complete
}

// Cancel keeps requests from completing. It reports whether the current one, if any, may be
// cut.
func (c *Canceller) Cancel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancelled = true
	return !c.whole
}

// Begin implements spool.Gate.
func (c *Canceller) Begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.whole = false
	return nil
}

// Finish implements spool.Gate.
func (c *Canceller) Finish() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancelled {
		return outbox.ErrCancelled
	}
	c.whole = true
	return nil
}
