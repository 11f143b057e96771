package document

import (
	"context"
	"sync"
	"time"
)

// maxProcessingWait bounds the total time that a PDF waits until the service has processed
// earlier ones. The service accepts a second PDF of a paper only after it has processed
// the first, and programs such as unzip and wget ignore the result of close.
const maxProcessingWait = 10 * time.Second

// sendOrder serializes the PDFs sent for one paper: a later one waits until the earlier
// one has arrived at the service or failed, so that the PDF closed last wins. The upload
// of an interrupted close continues in the background and keeps its turn.
type sendOrder struct {
	mu   sync.Mutex              // no other lock is taken under it
	last map[int64]chan struct{} // by paper with a PDF under way: closed when the last queued turn ends
	// waits records, by paper, when PDFs waited for others to be processed, since the
	// paper was last idle.
	waits map[int64][]span
}

type span struct{ from, to time.Time }

// acquire waits for a paper's turn; the caller ends it with end. If ctx ends first,
// acquire passes the turn on as soon as it comes.
func (t *sendOrder) acquire(ctx context.Context, paper int64) (end func(), err error) {
	own := make(chan struct{})
	t.mu.Lock()
	previous := t.last[paper]
	if t.last == nil {
		t.last, t.waits = map[int64]chan struct{}{}, map[int64][]span{}
	}
	t.last[paper] = own
	t.mu.Unlock()
	finish := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.last[paper] == own {
			delete(t.last, paper)
			delete(t.waits, paper)
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

// noteWait records that the PDF whose turn it is has waited for others to be processed.
func (t *sendOrder) noteWait(paper int64, from, to time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits[paper] = append(t.waits[paper], span{from, to})
}

// waitLeft returns how long the PDF whose turn it is, and which arrived at came, may still
// wait for others to be processed. The waits of earlier PDFs since came count too.
func (t *sendOrder) waitLeft(paper int64, came time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := maxProcessingWait
	for _, w := range t.waits[paper] {
		if w.from.Before(came) {
			w.from = came
		}
		left -= max(0, w.to.Sub(w.from))
	}
	return max(0, left)
}
