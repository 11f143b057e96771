package document

import (
	"context"
	"sync"
)

// sendOrder serializes the PDFs sent for one paper: a later one waits until the earlier
// one has arrived at the service or failed, so that the PDF closed last wins. The upload
// of an interrupted close continues in the background and keeps its turn.
type sendOrder struct {
	mu   sync.Mutex              // no other lock is taken under it
	last map[int64]chan struct{} // by paper with a PDF under way: closed when the last queued turn ends
}

// acquire waits for a paper's turn; the caller ends it with end. If ctx ends first,
// acquire passes the turn on as soon as it comes.
func (t *sendOrder) acquire(ctx context.Context, paper int64) (end func(), err error) {
	own := make(chan struct{})
	t.mu.Lock()
	previous := t.last[paper]
	if t.last == nil {
		t.last = map[int64]chan struct{}{}
	}
	t.last[paper] = own
	t.mu.Unlock()
	finish := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.last[paper] == own {
			delete(t.last, paper)
		}
		close(own)
	}
	if previous == nil {
		return finish, nil
	}
	select {
	case <-previous:
		return finish, nil
	case <-ctx.Done():
		go func() {
			<-previous
			finish()
		}()
		return nil, context.Cause(ctx)
	}
}
