package inode

import "sync"

// inFlight has the requests in flight. It is safe for concurrent use.
type inFlight struct {
	mu    sync.Mutex
	nodes map[uint64]*requests // guarded by mu: nodes with something in flight, by the kernel's number
}

// requests are those in flight in one directory or file.
type requests struct {
	running int             // requests under way
	waiting []chan struct{} // closed when the notifications that wait for these requests have their turn
	delayed []chan struct{} // closed when the requests that wait for those notifications begin
}

// enter begins a request, which ends with leave. It waits while a notification waits
// for earlier requests.
func (t *inFlight) enter(id uint64) (leave func()) {
	leave = func() { t.leave(id) }
	t.mu.Lock()
	n := t.nodes[id]
	if n == nil {
		if t.nodes == nil {
			t.nodes = make(map[uint64]*requests)
		}
		n = &requests{}
		t.nodes[id] = n
	}
	if len(n.waiting) == 0 {
		n.running++
		t.mu.Unlock()
		return leave
	}
	begun := make(chan struct{})
	n.delayed = append(n.delayed, begun)
	t.mu.Unlock()
	<-begun
	return leave
}

// leave ends a request. When nothing is in flight any more, all that waits starts.
func (t *inFlight) leave(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nodes[id]
	if n.running--; n.running > 0 {
		return
	}
	for _, come := range n.waiting {
		close(come)
	}
	for _, begun := range n.delayed {
		close(begun)
	}
	n.running, n.waiting, n.delayed = len(n.delayed), nil, nil
	if n.running == 0 {
		delete(t.nodes, id)
	}
}

// await waits until all requests that began before it have ended.
func (t *inFlight) await(id uint64) {
	t.mu.Lock()
	n := t.nodes[id]
	if n == nil {
		t.mu.Unlock()
		return
	}
	come := make(chan struct{})
	n.waiting = append(n.waiting, come)
	t.mu.Unlock()
	<-come
}
