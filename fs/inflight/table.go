package inflight

import "sync"

// Table is what is in flight. Its methods may be called at the same time.
type Table struct {
	mu    sync.Mutex
	nodes map[uint64]*node // guarded by mu: those with something in flight, by the kernel's number
}

// node is what is in flight in one directory, or of one file.
type node struct {
	running int             // requests that were begun
	waiting []chan struct{} // notifications: each is closed when its turn comes
	held    []chan struct{} // requests that came after those: each is closed when it was begun
}

// Enter begins a request, which ends with Leave. It waits while a notification
// waits for those that were begun before.
func (t *Table) Enter(id uint64) {
	t.mu.Lock()
	n := t.nodes[id]
	if n == nil {
		if t.nodes == nil {
			t.nodes = make(map[uint64]*node)
		}
		n = &node{}
		t.nodes[id] = n
	}
	if len(n.waiting) == 0 {
		n.running++
		t.mu.Unlock()
		return
	}
	begun := make(chan struct{})
	n.held = append(n.held, begun)
	t.mu.Unlock()
	<-begun
}

// Leave ends a request.
func (t *Table) Leave(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nodes[id]
	if n.running--; n.running > 0 {
		return
	}
	for _, turn := range n.waiting {
		close(turn)
	}
	n.running = len(n.held)
	for _, begun := range n.held {
		close(begun)
	}
	n.waiting, n.held = nil, nil
	if n.running == 0 {
		delete(t.nodes, id)
	}
}

// Gap waits until every request that was begun before it has ended.
func (t *Table) Gap(id uint64) {
	t.mu.Lock()
	n := t.nodes[id]
	if n == nil {
		t.mu.Unlock()
		return
	}
	turn := make(chan struct{})
	n.waiting = append(n.waiting, turn)
	t.mu.Unlock()
	<-turn
}
