package draft

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/lock"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Draft is a paper's PDF while it is being written. It is safe for concurrent use and ends with
// Close.
type Draft struct {
	set *Set
	record
	size atomic.Int64 // in bytes; readable without a lock

	sending lock.Mutex[lock.Load] // held during a Send

	mu    lock.Mutex[lock.Body] // guards the content; taken under sending, never held during requests
	spool *spool.File           // nil until the first change; a Send freezes it, and writes in the meantime go to a copy
	// pending is the frozen content that a close queued, nil if none. It is the same as spool
	// until the next write.
	pending *spool.File
	ended   bool // Close was called
	older   bool // failed/ already has newer content for the path

	known lock.Mutex[lock.Store] // guards the rest; taken under mu, never held while waiting
	gen   uint64                 // write generation, raised under mu
	sent  uint64                 // the generation that was sent
	// queued is the queued generation, 0 for none.
	queued    uint64
	publisher Publisher       // of the queued content
	canceller *tree.Canceller // of the request that sends the queued content, nil if none
	out       bool            // the service may have queued content without having confirmed it (seen.go)
	sum       string          // SHA-256 of the sent content
	verdict   tree.Verdict    // of the last write or Send; later writes are tried again unless it is final
}

// Ino returns the draft's number, which no other draft and no node of the store has.
func (d *Draft) Ino() inode.Ino { return d.ino }

// Path returns the intended path, from the mount's root.
func (d *Draft) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.path
}

// Since returns when the content was first written locally; zero if there is no content, or if
// the file system does not record creation times.
func (d *Draft) Since() (oldest time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, sp := range []*spool.File{d.pending, d.spool} {
		if sp == nil {
			continue
		}
		if at, ok := spool.Born(sp.Path); ok && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
	}
	return oldest
}

// ClearFailure lets the next Send retry content that could not be sent.
func (d *Draft) ClearFailure() {
	d.known.Lock()
	defer d.known.Unlock()
	if !d.verdict.Final {
		d.verdict = tree.Verdict{}
	}
}

// record is a draft's row in the database, for the next mount after a kill. A row without
// content in the spool means nothing, unless the content was queued: then it was lost.
type record struct {
	ino   inode.Ino // the draft's own number, which its spool files are named after
	paper int64
	path  string // intended path, from the mount's root, with a leading slash

	spool   uint64    // serial of the queued spool, 0 for none
	size    int64     // of that spool, 0 if an earlier version did not record it
	kept    string    // of that spool, as in spool.File
	dir     int64     // category of a queued PDF next to a paper's directory, 0 for source.pdf
	written time.Time // when the queued content was written
	again   bool      // the queued content may equal what was sent before it
	isNew   bool      // no paper had its name when it was written; one that others create is not replaced
	making  bool      // an attempt may have created the paper
	seen    string    // what the paper was known to have when the content was queued (Queuing)
}

// Set holds all drafts of a mount. It is safe for concurrent use.
type Set struct {
	o Options
	// Outbox holds the queued drafts.
	Outbox   *outbox.Outbox[*Draft]
	requeued []Queued // queued by earlier runs

	written  sync.Map     // of *Draft: those with content that have not ended
	released atomic.Int64 // number of released drafts that are not finalized yet
}

// withContent returns the drafts with content that have not ended, in no order.
func (s *Set) withContent() (list []*Draft) {
	for d := range s.written.Range {
		list = append(list, d.(*Draft))
	}
	return list
}

// Publisher sends the queued content of a draft. It is called without locks.
type Publisher interface {
	Publish(ctx context.Context) error // sends it with Draft.Send
	Delayed(why error)                 // called after each failed attempt that is retried
	// Published is called when the queued content was sent (nil) or permanently refused.
	Published(refused error)
}

// Queued is a draft that an earlier run queued, and its destination.
type Queued struct {
	*Draft
	Paper   int64 // 0 if it may have to be created
	Dir     int64 // category of a PDF next to a paper's directory, 0 for source.pdf
	Path    string
	Written time.Time
	New     bool // no paper had its name
	Making  bool // an attempt may have created it
}
