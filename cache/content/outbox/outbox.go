package outbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"paperfs/cache/content/lock"
	"paperfs/cache/notify"
)

// ErrCancelled is the cancellation cause of a Send's context after Interrupt.
var ErrCancelled = errors.New("the upload was cancelled: its file was removed, renamed or discarded")

// Options of an Outbox.
type Options[K comparable] struct {
	// Send sends the content of a key and reports the outcome with Ended. last is the error of
	// the previous attempt.
	Send func(ctx context.Context, k K, last error)
	// Ready reports whether a key may be sent now. The caller offers a key when it becomes ready.
	Ready    func(k K) bool
	Senders  int                                          // maximum number of Sends in progress
	Pause    func(failures int, last error) time.Duration // after a number of failures in a row
	Debounce time.Duration                                // sending starts once nothing was added for this time, up to a limit
	Now      func() time.Time
}

// backoff is the pause of the whole outbox. Outbox.mu guards it.
type backoff struct {
	on       bool
	until    time.Time
	timer    *time.Timer // ends it
	failures int         // consecutive, since a key was last sent
	why      error       // nil once a key was sent or failed on its own
}

// burst tracks how busy the callers of Add are. Outbox.mu guards it.
type burst struct {
	last  time.Time // of the last Add
	since time.Time // the line has not been empty since
}

// Outbox sends keys. It is safe for concurrent use.
type Outbox[K comparable] struct {
	o    Options[K]
	work sync.WaitGroup
	wake notify.Bell   // signals that there may be something to send
	quit chan struct{} // closed by Close
	stop context.CancelFunc

	mu      lock.Mutex[lock.Outbox] // guards the rest
	entries map[K]*entry[K]
	line    []*entry[K] // next first; entries that are no longer ready are skipped
	order   uint64      // of the newest entry
	active  int         // number of Sends in progress
	burst   burst
	backoff backoff
}

// New creates an outbox that sends between Start and Close.
func New[K comparable](o Options[K]) *Outbox[K] {
	return &Outbox[K]{o: o, wake: notify.NewBell(), quit: make(chan struct{}), entries: make(map[K]*entry[K])}
}

// Closed reports whether Close was called.
func (q *Outbox[K]) Closed() bool {
	select {
	case <-q.quit:
		return true
	default:
		return false
	}
}

// Offer says that a key may have become ready.
func (q *Outbox[K]) Offer(k K) { q.on(k, offer) }

// Resume undoes Cancel. The caller must offer the key.
func (q *Outbox[K]) Resume(k K) { q.on(k, resume) }

// on applies an event to a key that may be present.
func (q *Outbox[K]) on(k K, ev event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil {
		q.moveLocked(e, ev)
	}
}

// Cancel keeps Sends of a key from starting and returns its previous state. It does not end a
// Send in progress; Interrupt does.
func (q *Outbox[K]) Cancel(k K) (was State, there bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[k]
	if e == nil {
		return 0, false
	}
	was = e.state
	q.moveLocked(e, cancel)
	return was, true
}

// Interrupt cancels the context of a key's Send in progress, with ErrCancelled.
func (q *Outbox[K]) Interrupt(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil && e.state.Active() {
		e.interrupt(ErrCancelled)
	}
}

// Drop removes a key.
func (q *Outbox[K]) Drop(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil {
		e.pause.stop()
		e.state = Stopped // if it is in line, it is skipped
		delete(q.entries, k)
	}
}

// moveLocked applies an event to an entry and reports whether that changed its state; q.mu must
// be held. Nothing else changes a state, except Drop.
func (q *Outbox[K]) moveLocked(e *entry[K], ev event) bool {
	to, changes := next[e.state][ev]
	if !changes {
		return false
	}
	if to == Waiting && e.pause != nil {
		to = Paused
	}
	e.state = to
	if to == Ready {
		q.enqueueLocked(e)
	}
	return true
}

// enqueueLocked appends an entry to the line; q.mu must be held.
func (q *Outbox[K]) enqueueLocked(e *entry[K]) {
	if len(q.line) == 0 {
		q.burst.since = time.Now()
	}
	q.line = append(q.line, e)
	q.wake.Ring()
}
