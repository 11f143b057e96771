package tree

import (
	"sync/atomic"
	"time"
	"weak"

	"paperfs/cache/content/lock"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/spool"
)

// Body is the local content of a file.
type Body struct {
	Load lock.Mutex[lock.Load] // held while the content is fetched

	Mu      lock.RWMutex[lock.Body] // guards the rest
	Spool   *spool.File             // current content; nil: the published content
	Pending *spool.File             // queued content, never written to; the same as Spool until the next write
	Sum     string                  // SHA-256 of generation Sent, if this mount uploaded it
	Emptied uint64                  // generation that last emptied it
	Doubt   bool                    // the kernel's pages may not be what is here: a write failed, or went through them
	Source  *reading.Source         // published content, open; an inode never has two versions of it
	Vain    time.Time               // when the tree last showed no other version, though this one cannot be read

	// Written with both Mu and Tree.Mu held, so that either is enough to read them.
	Gen    uint64 // write generation; each write raises it
	Sent   uint64 // generation at the service
	Queued uint64 // queued generation

	verdict atomic.Pointer[Verdict] // the last one; set with Mu held

	last   weak.Pointer[reading.Source] // the last Source, as long as something of it is here
	unsure bool                         // it was closed before all of it was known to be right
}

// Read opens the Source that was open last, if it reads v and something of it is here, else another;
// b.Mu must be held for writing. The kernel may have pages of what the last one gave out: together
// with what another gives out, they could be all of damaged content.
func (b *Body) Read(v reading.Version, from *reading.Pool) {
	source := b.last.Value()
	if source == nil || !source.Reads(v) || !source.Reopen() {
		source = from.Open(v)
		b.Doubt, b.unsure = b.Doubt || b.unsure, false
	}
	b.Source, b.last = source, weak.Make(source)
}

// Renew closes the published content if it cannot be read any more. Only an open does that: those
// that have it open already may have nearly all of damaged content, and get no more.
func (b *Body) Renew() {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Source != nil && b.Source.Err() != nil {
		b.CloseSource()
	}
}

// CloseSource closes the published content; b.Mu must be held for writing.
func (b *Body) CloseSource() {
	if b.Source != nil {
		_, right := b.Source.Verified()
		b.unsure = b.unsure || !right
		b.Source.Release()
		b.Source = nil
	}
}

// Supersede makes what is read of the published content come while the service still gives it.
func (b *Body) Supersede() {
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	if last := b.last.Value(); last != nil {
		last.Supersede()
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
	b.Spool = nil
	b.DropUnused(spools, sp)
}

// Unsent reports whether a generation is queued that the service does not have.
func (b *Body) Unsent() bool {
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return b.Pending != nil && b.Queued != b.Sent
}
