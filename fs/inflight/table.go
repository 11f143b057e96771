package inflight

import (
	"slices"
	"sync"
	"time"
)

// Table has the requests in flight. It is safe for concurrent use.
type Table struct {
	mu    sync.Mutex
	nodes map[uint64]*node // guarded by mu: nodes with something in flight, by the kernel's number
}

// node has the requests in flight in one directory or file.
type node struct {
	running int        // requests under way
	reads   []*Reading // the READs among them
	waiting []turn     // notifications that wait for these requests
	delayed []*delayed // requests that wait for those notifications
	sending *sending   // notifications of content under way, or nil
	repeats []*Reading // READs that got EIO during sending, which the kernel repeats
}

// turn is a notification that waits.
type turn struct {
	come    chan struct{} // closed when its turn comes
	content bool
}

// delayed is a request that waits for notifications.
type delayed struct {
	begun chan struct{} // closed when the request begins
	read  *Reading      // nil for requests other than READ
}

// sending are notifications of content that began together.
type sending struct {
	left   int           // how many have not returned
	unsent int           // how many are not on their way to the kernel
	sent   chan struct{} // closed when all are on their way
	ended  chan struct{} // closed when all have returned
}

// Reading is a READ in flight, of the bytes from `from` up to `to`.
type Reading struct {
	table    *Table
	id       uint64
	from, to int64
	left     chan struct{} // closed when the READ has ended
}

// Enter begins a request, which ends with Leave. Enter waits while a notification waits
// for earlier requests.
func (t *Table) Enter(id uint64) { t.enter(id, nil) }

// EnterRead is Enter for a READ, which ends with its own Leave.
func (t *Table) EnterRead(id uint64, from, size int64) *Reading {
	r := &Reading{table: t, id: id, from: from, to: from + size, left: make(chan struct{})}
	t.enter(id, r)
	return r
}

func (t *Table) enter(id uint64, read *Reading) {
	t.mu.Lock()
	n := t.nodeLocked(id)
	if len(n.waiting) == 0 || n.sending != nil {
		n.begin(read)
		t.mu.Unlock()
		return
	}
	h := &delayed{make(chan struct{}), read}
	n.delayed = append(n.delayed, h)
	t.mu.Unlock()
	<-h.begun
}

// nodeLocked returns the node id, which it creates if needed. t.mu must be held.
func (t *Table) nodeLocked(id uint64) *node {
	n := t.nodes[id]
	if n == nil {
		if t.nodes == nil {
			t.nodes = make(map[uint64]*node)
		}
		n = &node{}
		t.nodes[id] = n
	}
	return n
}

func (n *node) begin(read *Reading) {
	n.running++
	if read != nil {
		n.reads = append(n.reads, read)
	}
}

// Leave ends a request.
func (t *Table) Leave(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nodes[id].running--
	t.turnsLocked(id)
}

// Leave ends a READ.
func (r *Reading) Leave() {
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	n := r.table.nodes[r.id]
	n.reads = slices.DeleteFunc(n.reads, func(other *Reading) bool { return other == r })
	close(r.left)
	n.running--
	r.table.turnsLocked(r.id)
}

// turnsLocked starts all that waits if nothing is in flight. t.mu must be held.
func (t *Table) turnsLocked(id uint64) {
	n := t.nodes[id]
	if n.running > 0 || n.sending != nil {
		return
	}
	for _, w := range n.waiting {
		close(w.come)
		if w.content {
			n.send()
		}
	}
	for _, h := range n.delayed {
		n.begin(h.read)
		close(h.begun)
	}
	n.waiting, n.delayed = nil, nil
	if n.running == 0 && n.sending == nil {
		delete(t.nodes, id)
	}
}

// send records that a notification of content is under way.
func (n *node) send() {
	if n.sending == nil {
		n.sending = &sending{sent: make(chan struct{}), ended: make(chan struct{})}
	}
	n.sending.left++
	n.sending.unsent++
}

// Await waits until all requests that began before it have ended.
func (t *Table) Await(id uint64) {
	t.mu.Lock()
	if t.nodes[id] == nil {
		t.mu.Unlock()
		return
	}
	t.waitLocked(id, false)
}

// BeginContent is Await for a notification of content, which the caller sends right after it. The
// caller calls ended when that has returned.
func (t *Table) BeginContent(id uint64) (ended func()) {
	t.mu.Lock()
	if n := t.nodeLocked(id); n.running > 0 || n.sending != nil {
		t.waitLocked(id, true)
		t.mu.Lock()
	} else {
		n.send()
	}
	s := t.nodes[id].sending
	if s.unsent--; s.unsent == 0 {
		close(s.sent)
	}
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if s.left--; s.left > 0 {
			return
		}
		close(s.ended)
		n := t.nodes[id]
		n.sending, n.repeats = nil, nil
		t.turnsLocked(id)
	}
}

// waitLocked waits for a turn. t.mu must be held; waitLocked unlocks it.
func (t *Table) waitLocked(id uint64, content bool) {
	come := make(chan struct{})
	n := t.nodes[id]
	n.waiting = append(n.waiting, turn{come, content})
	t.mu.Unlock()
	<-come
}

// arrival is how long a notification may take to reach the kernel, which is one system
// call; after that it can only be waiting for a READ.
const arrival = 50 * time.Millisecond

// Short reports whether the kernel must repeat a READ that found the end of the content.
// It waits until the kernel can interpret a short answer (see the package comment).
func (r *Reading) Short(cancel <-chan struct{}) (again bool) {
	for _, lower := range r.lower() {
		select {
		case <-lower.left:
		case <-cancel:
			return true
		}
	}
	r.table.mu.Lock()
	n := r.table.nodes[r.id]
	s := n.sending
	if s == nil || slices.ContainsFunc(n.repeats, r.overlaps) {
		r.table.mu.Unlock()
		return false
	}
	r.table.mu.Unlock()
	select {
	case <-s.sent:
	case <-cancel:
		return true
	}
	select {
	case <-s.ended:
		return true
	case <-time.After(arrival):
	case <-cancel:
		return true
	}
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	if n.sending == s {
		n.repeats = append(n.repeats, r)
	}
	return true
}

// lower returns the READs in flight of earlier parts.
func (r *Reading) lower() (list []*Reading) {
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	for _, other := range r.table.nodes[r.id].reads {
		if other.from < r.from {
			list = append(list, other)
		}
	}
	return list
}

func (r *Reading) overlaps(other *Reading) bool { return r.from < other.to && other.from < r.to }
