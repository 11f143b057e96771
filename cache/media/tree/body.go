package tree

import (
	"io"
	"os"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
)

// Body is the local content of a file.
type Body struct {
	Load lock.Mutex[lock.Load] // held while the content is fetched

	Mu      lock.RWMutex[lock.Body] // guards the rest
	Spool   *spool.File             // current content; nil: the published content
	Pending *spool.File             // queued content, never written to; the same as Spool until the next write
	Gen     uint64                  // write generation; each write raises it
	Sent    uint64                  // generation at the service
	Queued  uint64                  // queued generation
	Sum     string                  // SHA-256 of generation Sent, if this mount uploaded it
	Verdict Verdict                 // the last one
	Doubt   bool                    // the kernel's pages may not be what is here: a write failed, or went through them
	Cached  *Cached                 // published content, open; an inode never has two versions of it
}

// Cached is open published content.
type Cached struct {
	F     *os.File
	Size  int64
	Unpin func() // allows the cache to evict it
}

// DropCached closes the cached content; b.Mu must be held for writing.
func (b *Body) DropCached() {
	if b.Cached != nil {
		_ = b.Cached.F.Close()
		b.Cached.Unpin()
		b.Cached = nil
	}
}

// AllQueued reports whether the current content is the queued content; b.Mu must be held.
func (b *Body) AllQueued() bool { return b.Pending != nil && b.Pending == b.Spool }

// ForgetPending drops the queued content unless something else uses its spool; b.Mu must be
// held.
func (b *Body) ForgetPending(spools *spool.Dir) {
	sp := b.Pending
	b.Pending = nil
	b.DropUnused(spools, sp)
}

// DropUnused drops a spool, which may be nil, if it is neither the current nor the queued
// content nor being uploaded. It reports whether it did; b.Mu must be held.
func (b *Body) DropUnused(spools *spool.Dir, sp *spool.File) bool {
	if sp == nil || sp == b.Spool || sp == b.Pending || sp.Frozen > 0 {
		return false
	}
	spools.Drop(sp)
	return true
}

// Discard drops the current content, unless it is queued; b.Mu must be held.
func (b *Body) Discard(spools *spool.Dir) {
	sp := b.Spool
	b.Spool, b.Verdict = nil, Verdict{}
	b.DropUnused(spools, sp)
}

// Unsent reports whether a generation is queued that the service does not have.
func (b *Body) Unsent() bool {
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return b.Pending != nil && b.Queued != b.Sent
}

// ReadAt reads the current content; b.Mu must be held.
func (b *Body) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case b.Spool != nil:
		return b.Spool.F.ReadAt(p, off)
	case b.Cached != nil:
		return b.Cached.F.ReadAt(p, off)
	}
	return 0, io.EOF
}
