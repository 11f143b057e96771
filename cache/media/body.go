package media

import (
	"os"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
)

// body is the local content of a file.
type body struct {
	load lock.Mutex[lock.Load] // held while the content is fetched

	mu     lock.RWMutex[lock.Body] // guards the rest
	spool  *spool.File             // nil: the published content is the content
	closed *spool.File             // what is queued to be sent, never written to; the spool itself while nobody has written since
	gen    uint64                  // write generation: raised by each write
	sent   uint64                  // generation that the service holds
	queued uint64                  // generation that was queued to be sent
	sum    string                  // SHA-256 of generation sent, of this mount's uploads only
	fail   *failed                 // the last attempt to publish that failed
	torn   error                   // a write that failed: the content lacks it, until the file is emptied
	held   *held                   // published content, open
}

// failed is an attempt to publish that failed.
type failed struct {
	gen uint64
	err error

	abandoned bool // nobody tried, since who wrote it was killed
}

// held is published content, open for reading.
type held struct {
	f      *os.File
	sha256 string
	size   int64
	unpin  func() // lets the cache drop it
}

// drop closes what is held; b.mu must be held for writing.
func (b *body) dropHeld() {
	if b.held != nil {
		_ = b.held.f.Close()
		b.held.unpin()
		b.held = nil
	}
}
