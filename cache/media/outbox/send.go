package outbox

import (
	"context"
	"time"
)

// Start has what is in the outbox sent. No Send outlasts ctx.
func (q *Outbox[K]) Start(ctx context.Context) {
	ctx, q.stop = context.WithCancel(ctx)
	q.work.Go(func() { q.run(ctx) })
}

// Close undoes Start: it has nothing more sent, and returns when nothing is under way. That is
// waited for, or ended.
func (q *Outbox[K]) Close(end bool) {
	close(q.quit)
	if end {
		q.stop()
	}
	q.work.Wait()
	q.stop()
}

// run sends until the outbox is closed.
func (q *Outbox[K]) run(ctx context.Context) {
	slots := make(chan struct{}, q.o.Senders)
	for {
		select {
		case slots <- struct{}{}:
		case <-q.quit:
			return
		}
		e, sendCtx := q.await(ctx)
		if e == nil {
			return
		}
		q.work.Go(func() {
			q.send(sendCtx, e)
			<-slots
		})
	}
}

// await waits for the next entry to be sent; nil when the outbox is closed.
func (q *Outbox[K]) await(ctx context.Context) (*entry[K], context.Context) {
	for !q.Closed() {
		var quiet <-chan time.Time
		if wait := q.untilQuiet(); wait > 0 {
			quiet = time.After(wait)
		} else if e, ctx := q.first(ctx); e != nil {
			return e, ctx
		}
		select {
		case <-q.wake:
		case <-quiet:
		case <-q.quit:
		}
	}
	return nil, nil
}

// first begins to send the first entry in line that is ready, and returns it, nil where there is none.
func (q *Outbox[K]) first(ctx context.Context) (*entry[K], context.Context) {
	for e := q.take(); e != nil; e = q.take() {
		if !q.o.Ready(e.key) {
			continue
		}
		if ctx, begun := q.begin(ctx, e); begun {
			return e, ctx
		}
	}
	return nil, nil
}

// take removes the first entry of the line and returns it, nil where the line is empty or paused.
func (q *Outbox[K]) take() *entry[K] {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) > 0 && !q.backoff.on {
		e := q.line[0]
		q.line[0] = nil
		q.line = q.line[1:]
		if q.moveLocked(e, turn) {
			return e
		}
	}
	return nil
}

// begin notes that an entry is sent from now on, unless it was cancelled, dropped or
// postponed since its turn.
func (q *Outbox[K]) begin(ctx context.Context, e *entry[K]) (context.Context, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.moveLocked(e, begin) {
		return nil, false
	}
	q.active++
	ctx, e.interrupt = context.WithCancelCause(ctx)
	return ctx, true
}

func (q *Outbox[K]) send(ctx context.Context, e *entry[K]) {
	defer e.interrupt(nil)
	q.mu.Lock()
	last := e.last
	q.mu.Unlock()
	q.o.Send(ctx, e.key, last)
	q.mu.Lock()
	q.active--
	q.mu.Unlock()
}

// Outcome is what came of a Send.
type Outcome int

// The outcomes.
const (
	Sent        Outcome = iota // where its key is still there, there is more to send
	Interrupted                // nobody knows; it is offered again
	Failed                     // it may pass, for this key alone
	Blocked                    // it may pass, and concerns everything
	Refused                    // for good: who sends it drops it, or resumes it
)

// Ended tells what came of the Send of a key, and reports whether that is for who
// sent it to see to: it is not where the key was cancelled or dropped since.
func (q *Outbox[K]) Ended(k K, o Outcome, err error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o == Sent {
		q.backoff.failures, q.backoff.why = 0, nil
	}
	e := q.entries[k]
	if e == nil {
		return false
	}
	ours := e.state == Sending
	if ours && (o == Failed || o == Blocked) {
		q.failedLocked(e, err, o == Blocked)
	}
	q.moveLocked(e, map[Outcome]event{Sent: again, Interrupted: again, Failed: later, Blocked: again, Refused: refused}[o])
	return ours
}
