package media

import (
	"io"
	"sync"

	"paperfs/cache/media/outbox"
	"paperfs/remote"
)

// brake stops content that is being sent. A request that is cut before its end
// surely has no effect; one that is whole may have it late, and its answer is
// worth waiting for.
type brake struct {
	gen uint64 // of the content; who sends it has this

	mu     sync.Mutex
	pulled bool // no request comes to its end any more
	whole  bool // the present one has
}

// pull has no request come to its end any more. It reports whether the present
// one, if any, may be cut.
func (b *brake) pull() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pulled = true
	return !b.whole
}

// braked is content with a brake.
type braked struct {
	remote.Content
	brake *brake
}

// Measure implements remote.Measured.
func (c *braked) Measure() *remote.Measure {
	if m, ok := c.Content.(remote.Measured); ok {
		return m.Measure()
	}
	return nil
}

// Open begins another request.
func (c *braked) Open() (io.ReadCloser, error) {
	c.brake.mu.Lock()
	c.brake.whole = false
	c.brake.mu.Unlock()
	return c.Content.Open()
}

// Finish implements remote.Finisher.
func (c *braked) Finish() error {
	c.brake.mu.Lock()
	defer c.brake.mu.Unlock()
	if c.brake.pulled {
		return outbox.ErrCut
	}
	c.brake.whole = true
	return nil
}
