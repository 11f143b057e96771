// Package notify tells of changes in the order in which they came.
//
// A caller that changes something adds a notice and goes on, even while it holds
// locks. One goroutine sends the notices, one after the other. It holds no lock, so
// the receiver may call back.
//
// Queue.mu is held for a moment, and no other lock is taken under it.
package notify

import (
	"context"
	"sync"
)

// Queue has the notices that are to be sent.
type Queue struct {
	mu      sync.Mutex
	waiting []func()      // guarded by mu
	bell    chan struct{} // waiting has something
	closing context.Context
	close   context.CancelFunc
	done    chan struct{} // closed when Run has returned
}

// New makes an empty Queue.
func New() *Queue {
	q := &Queue{bell: make(chan struct{}, 1), done: make(chan struct{})}
	q.closing, q.close = context.WithCancel(context.Background())
	return q
}

// Add adds a notice. After Close it is not sent.
func (q *Queue) Add(send func()) {
	q.mu.Lock()
	q.waiting = append(q.waiting, send)
	q.mu.Unlock()
	select {
	case q.bell <- struct{}{}:
	default:
	}
}

// Told waits until all notices so far have been sent, or until Close.
func (q *Queue) Told(ctx context.Context) {
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

// Close drops what has not been sent, and waits for the notice that is being sent.
// No notice may call it.
func (q *Queue) Close() {
	q.close()
	<-q.done
}
