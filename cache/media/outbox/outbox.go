package outbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
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

// Start has what is in the outbox sent. No Send outlasts ctx.
func (q *Outbox[K]) Start(ctx context.Context) {
	ctx, q.stop = context.WithCancel(ctx)
	q.work.Go(func() { q.run(ctx) })
}

// Close undoes Start: it has nothing more sent, and returns when nothing is under way. That is
// waited for, or ended.
func (q *Outbox[K]) Close(end bool) {
	close(q.quit)
	if end {
		q.stop()
	}
	q.work.Wait()
	q.stop()
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

// Add puts a key into the outbox, unless it is there. Where pause is above zero it is
// not sent before that is over; else it has to be offered.
func (q *Outbox[K]) Add(k K, pause time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.entries[k] != nil {
		return
	}
	q.order++
	e := &entry[K]{key: k, order: q.order}
	q.entries[k] = e
	q.burst.last = time.Now()
	if pause > 0 {
		q.pause(e, pause)
		q.move(e, postpone)
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
		q.move(e, ev)
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
	q.move(e, cancel)
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

// Item is a key in the outbox.
type Item[K comparable] struct {
	Key      K
	State    State
	Failures int
	Last     error     // of the last failure, nil where there was none
	Next     time.Time // before which it is not sent; zero where nothing delays it but what is before it
}

// List lists what is in the outbox: what is being sent, then the rest, each in
// the order in which it was added.
func (q *Outbox[K]) List() []Item[K] {
	q.mu.Lock()
	defer q.mu.Unlock()
	sorted := make([]*entry[K], 0, len(q.entries))
	for _, e := range q.entries {
		sorted = append(sorted, e)
	}
	slices.SortFunc(sorted, func(a, b *entry[K]) int {
		if a.state.Active() != b.state.Active() {
			if a.state.Active() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	list := make([]Item[K], len(sorted))
	for i, e := range sorted {
		list[i] = Item[K]{e.key, e.state, e.failures, e.last, q.notBefore(e)}
	}
	return list
}

// notBefore is before when an entry is not sent; q.mu must be held.
func (q *Outbox[K]) notBefore(e *entry[K]) time.Time {
	switch {
	case e.state.Active():
		return time.Time{}
	case e.pause != nil:
		return e.pause.until
	case q.backoff.on:
		return q.backoff.until
	}
	return time.Time{}
}

// Len is how many keys are in the outbox.
func (q *Outbox[K]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

// Idle reports whether nothing is in the outbox and no Send is under way.
func (q *Outbox[K]) Idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries) == 0 && q.active == 0
}
