package tree

import (
	"sync/atomic"

	"paperfs/cache/content/outbox"
)

// Canceller stops an upload. A request that is cut before its last bytes certainly has no
// effect. A complete request may take effect, so its answer is worth waiting for.
type Canceller struct {
	Gen uint64 // generation of the content; only the sender uses it

	state atomic.Uint32 // of the two below
}

const (
	cancelled = 1 << iota // no further request may complete
	whole                 // the current request is complete
)

// Cancel keeps requests from completing. It reports whether the current one, if any, may be
// cut.
func (c *Canceller) Cancel() bool { return c.state.Or(cancelled)&whole == 0 }

// Begin implements spool.Gate.
func (c *Canceller) Begin() error {
	c.state.And(^uint32(whole))
	return nil
}

// Finish implements spool.Gate.
func (c *Canceller) Finish() error {
	if !c.state.CompareAndSwap(0, whole) && c.state.Load() != whole {
		return outbox.ErrCancelled
	}
	return nil
}
