package tree

import (
	"io"
	"os"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/spool"
)

// Body is the local content of a file.
type Body struct {
	Load lock.Mutex[lock.Load] // held while the content is fetched

	Mu      lock.RWMutex[lock.Body] // guards the rest
	Spool   *spool.File             // nil: the published content is the content
	Pending *spool.File             // what is queued to be sent, never written to; the spool itself while nobody has written since
	Gen     uint64                  // write generation: raised by each write
	Sent    uint64                  // generation that the service has
	Queued  uint64                  // generation that was queued to be sent
	Sum     string                  // SHA-256 of generation sent, of this mount's uploads only
	Fail    *Failure                // the last attempt to publish that failed
	Torn    error                   // a write that failed: the content lacks it, until the file is emptied
	Cached  *Cached                 // published content, open
}

// Failure is an attempt to publish that failed.
type Failure struct {
	Gen uint64
	Err error

	Abandoned bool // nobody tried, since who wrote it was killed
}

// Cached is published content, open for reading.
type Cached struct {
	F      *os.File
	SHA256 string
	Size   int64
	Unpin  func() // lets the cache drop it
}

// DropCached closes the cached content; b.mu must be held for writing.
func (b *Body) DropCached() {
	if b.Cached != nil {
		_ = b.Cached.F.Close()
		b.Cached.Unpin()
		b.Cached = nil
	}
}

// AllQueued reports whether what is there is what is queued; b.mu must be held.
func (b *Body) AllQueued() bool { return b.Pending != nil && b.Pending == b.Spool }

// ForgetPending drops what was queued; b.mu must be held.
func (b *Body) ForgetPending(spools *spool.Dir) {
	sp := b.Pending
	b.Pending = nil
	b.DropUnused(spools, sp)
}

// DropUnused drops a spool, if that is not nil, once it is neither the content,
// nor queued, nor read by an upload, and reports whether it did; b.mu must be
// held.
func (b *Body) DropUnused(spools *spool.Dir, sp *spool.File) bool {
	if sp == nil || sp == b.Spool || sp == b.Pending || sp.Frozen > 0 {
		return false
	}
	spools.Drop(sp)
	return true
}

// Discard drops the spool, unless that is what is queued; b.mu must be held.
func (b *Body) Discard(spools *spool.Dir) {
	sp := b.Spool
	b.Spool, b.Torn = nil, nil
	b.DropUnused(spools, sp)
}

// Unsent reports whether another generation than the one at the service is
// queued.
func (b *Body) Unsent() bool {
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return b.Pending != nil && b.Queued != b.Sent
}

// NoteFailure notes that the newest generation could not even be read.
func (b *Body) NoteFailure(err error) {
	b.Mu.Lock()
	b.Fail = &Failure{Gen: b.Gen, Err: err}
	b.Mu.Unlock()
}

// ReadAt reads what is there; b.mu must be held.
func (b *Body) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case b.Spool != nil:
		return b.Spool.F.ReadAt(p, off)
	case b.Cached != nil:
		return b.Cached.F.ReadAt(p, off)
	}
	return 0, io.EOF
}

// Worthless reports whether the content is the torso that a write left which
// found no room: who wrote it was told, and to keep it would keep others from
// writing. What a close took over is never that. b.mu must be held.
func (b *Body) Worthless() bool { return refusal.Is(b.Fail.Err, refusal.Full) && !b.AllQueued() }

// Abandoned is why nothing of the content is published until more is written,
// nil where that is not so; b.mu must be held.
func (b *Body) Abandoned() error {
	if b.Fail != nil && b.Fail.Abandoned && b.Fail.Gen == b.Gen {
		return b.Fail.Err
	}
	return nil
}
