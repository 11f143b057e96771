package document

import (
	"context"
	"sync"
	"time"
)

// longestTurn bounds how long a PDF waits for those before it to be processed, in all. The service takes a second PDF
// of a paper once the first is processed, and programs (unzip, wget) do not look at what a close says.
const maxProcessingWait = 10 * time.Second

// turns order the PDFs that are sent for one paper: a later one waits until the
// one before it is at the service or has failed, so that the last one that was
// closed is the one that stays. The upload of an interrupted close goes on in the
// background, and has its turn like any other.
type sendOrder struct {
	mu   sync.Mutex              // no other lock is taken under it
	last map[int64]chan struct{} // of each paper that something is sent for: closed when its last turn ends
	// waits are when the PDFs of a paper have waited for others to be processed, since something is
	// sent for it without a gap.
	waits map[int64][]span
}

type span struct{ from, to time.Time }

// take waits for a paper's turn; end ends it. Where ctx ends before, the turn is finish when it comes.
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

// waited notes that the PDF whose turn it is has waited for others to be processed.
func (t *sendOrder) noteWait(paper int64, from, to time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits[paper] = append(t.waits[paper], span{from, to})
}

// left is how long a PDF that came at some time, and whose turn it is, may wait for others to be processed: those
// before it have waited for that, too.
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
