package admission

import (
	"sync"
	"time"
)

const (
	// DrainLimit is how long requests without good credentials, and those whose sender may still be writing what it
	// sends, go on when the service ends. All others are finished, however long they take.
	DrainLimit = 20 * time.Second
	// DrainPause is how long answers that were written have to reach their clients.
	DrainPause = 5 * time.Second
)

// Requests are the requests under way.
type Requests struct {
	Pause time.Duration // set before the first request

	mu      sync.Mutex // guards all below; taken before the lock of a Deadlines
	all     map[*Deadlines]struct{}
	end     time.Time // of strangers' requests; zero before the drain
	ended   bool      // end has passed
	drained chan struct{}
	once    sync.Once // closes drained
}

// NewRequests returns no requests.
func NewRequests() *Requests {
	return &Requests{Pause: DrainPause, all: map[*Deadlines]struct{}{}, drained: make(chan struct{})}
}

// Add adds a request. During a drain it is a stranger's, and ends with the others.
func (r *Requests) Add(d *Deadlines) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[d] = struct{}{}
	if !r.end.IsZero() {
		d.endAt(r.end, r.end.Add(r.Pause))
	}
}

// Remove removes a finished request. Nothing sets deadlines on its connection any more.
func (r *Requests) Remove(d *Deadlines) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d.finish()
	delete(r.all, d)
	r.checkDrained()
}

// Drain ends the requests of strangers after limit. Only the first call counts.
func (r *Requests) Drain(limit time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.end.IsZero() {
		return
	}
	r.end = time.Now().Add(limit)
	for d := range r.all {
		d.endAt(r.end, r.end.Add(r.Pause))
	}
	time.AfterFunc(limit, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended = true
		r.checkDrained()
	})
}

// Drained is closed when, after Drain, only strangers' requests are left.
func (r *Requests) Drained() <-chan struct{} { return r.drained }

// checkDrained closes drained, after the pause, if only strangers are left. The caller
// holds mu.
func (r *Requests) checkDrained() {
	if !r.ended {
		return
	}
	for d := range r.all {
		if d.Known() {
			return
		}
	}
	time.AfterFunc(r.Pause, func() { r.once.Do(func() { close(r.drained) }) })
}
