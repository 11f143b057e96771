// Package notify delivers notices of changes in the order in which they were added.
//
// A caller that changes something adds a notice and continues, even while it holds locks.
// One goroutine sends the notices, one after the other. It holds no lock, so the receiver
// may call back. The catalogue and the media store share [Queue].
//
// Queue.mu is held for a moment, and no other lock is taken while it is held.
package notify

import (
	"context"
	"sync"
)

// Queue holds the notices that have not been sent yet.
type Queue struct {
	mu      sync.Mutex
	waiting []func() // guarded by mu
	bell    Bell     // signals that waiting is not empty
	closing context.Context
	close   context.CancelFunc
	done    chan struct{} // closed when Run has returned
}

// New returns an empty Queue.
func New() *Queue {
	q := &Queue{bell: NewBell(), done: make(chan struct{})}
	q.closing, q.close = context.WithCancel(context.Background())
	return q
}

// Add adds a notice. After Close it is never sent.
func (q *Queue) Add(send func()) {
	q.mu.Lock()
	q.waiting = append(q.waiting, send)
	q.mu.Unlock()
	q.bell.Ring()
}

// WaitNotified waits until all notices added so far have been sent, until Close, or until ctx
// ends.
func (q *Queue) WaitNotified(ctx context.Context) {
	told := make(chan struct{})
	q.Add(func() { close(told) })
	select {
	case <-told:
	case <-q.closing.Done():
	case <-ctx.Done():
	}
}

// Run sends notices until Close.
func (q *Queue) Run() {
	defer close(q.done)
	for {
		select {
		case <-q.closing.Done():
			return
		case <-q.bell:
		}
		q.mu.Lock()
		waiting := q.waiting
		q.waiting = nil
		q.mu.Unlock()
		for _, send := range waiting {
			if q.closing.Err() != nil {
				return
			}
			send()
		}
	}
}

// Close drops the unsent notices and waits for the one that is being sent. A notice must
// not call it.
func (q *Queue) Close() {
	q.close()
	<-q.done
}
