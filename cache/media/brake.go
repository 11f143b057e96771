package media

import (
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
)

// brake stops content that is being sent. A request that is cut before its end
// surely has no effect; one that is whole may have it late, and its answer is
// worth waiting for.
type brake struct {
	gen uint64 // of the content; who sends it has this

	mu     lock.Mutex[lock.Gate]
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

// begin implements gate.
func (b *brake) begin() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.whole = false
	return nil
}

// finish implements gate.
func (b *brake) finish() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pulled {
		return outbox.ErrCut
	}
	b.whole = true
	return nil
}
