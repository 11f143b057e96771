package tree

import (
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
)

// Canceller stops content that is being sent. A request that is cut before its end
// surely has no effect; one that is whole may have it late, and its answer is
// worth waiting for.
type Canceller struct {
	Gen uint64 // of the content; who sends it has this

	mu        lock.Mutex[lock.Gate]
	cancelled bool // no request comes to its end any more
	whole     bool // the present one has
}

// Cancel has no request come to its end any more. It reports whether the present
// one, if any, may be cut.
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
