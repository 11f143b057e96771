package outbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"paperfs/cache/media/lock"
)

// ErrCancelled is the cause by which the context of a Send ends that was cancelled.
var ErrCancelled = errors.New("what was being sent is removed, renamed or discarded")

// Options of an Outbox.
type Options[K comparable] struct {
	// Send sends what a key stands for, and tells by Ended what came of it. last
	// is how the try before failed.
	Send func(ctx context.Context, k K, last error)
	// Ready reports whether a key may be sent now. The caller offers a key when it becomes ready.
	Ready    func(k K) bool
	Senders  int                                          // how many are sent at a time
	Pause    func(failures int, last error) time.Duration // after so many failures in a row
	Debounce time.Duration                                // nothing is sent before nothing was added for so long, within reason
	Now      func() time.Time
}

// backoff is the pause of the whole outbox. Outbox.mu guards it.
type backoff struct {
	on       bool
	until    time.Time
	timer    *time.Timer // ends it
	failures int         // of all in a row, since something was sent
	why      error       // nil once something was sent, or failed alone
}

// burst is how busy those are who add. Outbox.mu guards it.
type burst struct {
	last  time.Time // something was added
	since time.Time // something can be sent, without a gap
}

// Outbox is what waits to be sent. Its methods may be called at the same time.
type Outbox[K comparable] struct {
	o    Options[K]
	work sync.WaitGroup
	wake chan struct{} // there may be something to send
	quit chan struct{} // closed by Close
	stop context.CancelFunc

	mu      lock.Mutex[lock.Outbox] // guards the rest
	entries map[K]*entry[K]
	line    []*entry[K] // the next first; what is not ready any more is passed over
	order   uint64      // of the newest
	active  int         // how many Sends are under way
	burst   burst
	backoff backoff
}

// New makes an outbox that sends from Start to Close.
func New[K comparable](o Options[K]) *Outbox[K] {
	return &Outbox[K]{o: o, wake: make(chan struct{}, 1), quit: make(chan struct{}), entries: make(map[K]*entry[K])}
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

// Offer tells that a key may have become ready.
func (q *Outbox[K]) Offer(k K) { q.on(k, offer) }

// Resume undoes Cancel. The key has to be offered.
func (q *Outbox[K]) Resume(k K) { q.on(k, resume) }

// on has something happen to a key that may be there.
func (q *Outbox[K]) on(k K, ev event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil {
		q.moveLocked(e, ev)
	}
}

// Cancel has no Send of a key begin, and returns the state that it had. It does not
// end one that is under way; Interrupt does.
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

// Interrupt ends the context of the Send of a key that is under way, with ErrCancelled.
func (q *Outbox[K]) Interrupt(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil && e.state.Active() {
		e.interrupt(ErrCancelled)
	}
}

// Drop takes a key out.
func (q *Outbox[K]) Drop(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil {
		e.pause.stop()
		e.state = Stopped // where it is in line, it is passed over
		delete(q.entries, k)
	}
}

// moveLocked has something happen to an entry, and reports whether that changed its
// state; q.mu must be held. Nothing else changes a state.
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

// enqueueLocked puts an entry into the line; q.mu must be held.
func (q *Outbox[K]) enqueueLocked(e *entry[K]) {
	if len(q.line) == 0 {
		q.burst.since = time.Now()
	}
	q.line = append(q.line, e)
	q.signal()
}

// signal wakes run.
func (q *Outbox[K]) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
