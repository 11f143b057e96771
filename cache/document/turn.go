package document

import "sync"

// turns order the PDFs that are sent for one paper: a later one waits until the
// one before it is at the service or has failed, so that the last one that was
// closed is the one that stays. The upload of an interrupted close goes on in the
// background, and has its turn like any other.
type turns struct {
	mu   sync.Mutex              // no other lock is taken under it
	last map[int64]chan struct{} // of each paper that something is sent for: closed when its last turn ends
}

// take waits for a paper's turn; end ends it.
func (t *turns) take(paper int64) (end func()) {
	mine := make(chan struct{})
	t.mu.Lock()
	before := t.last[paper]
	if t.last == nil {
		t.last = map[int64]chan struct{}{}
	}
	t.last[paper] = mine
	t.mu.Unlock()
	if before != nil {
		<-before
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.last[paper] == mine {
			delete(t.last, paper)
		}
		close(mine)
	}
}
