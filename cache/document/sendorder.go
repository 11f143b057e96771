package document

import (
	"context"
	"sync"
)

// sendOrder serializes what is sent for one thing, the PDFs of a paper or the values of a
// setting or field: a later one waits until the earlier one has arrived at the service or
// failed, so that the last one wins. What an interrupted program sent continues in the
// background and keeps its turn.
type sendOrder struct {
	mu   sync.Mutex            // no other lock is taken under it
	last map[key]chan struct{} // by what has something under way: closed when the last queued turn ends
}

// acquire waits for the turn of a thing; the caller ends it with end. If ctx ends first,
// acquire passes the turn on as soon as it comes.
func (t *sendOrder) acquire(ctx context.Context, of key) (end func(), err error) {
	own := make(chan struct{})
	t.mu.Lock()
	previous := t.last[of]
	if t.last == nil {
		t.last = map[key]chan struct{}{}
	}
	t.last[of] = own
	t.mu.Unlock()
	finish := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.last[of] == own {
			delete(t.last, of)
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
