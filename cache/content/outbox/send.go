package outbox

import (
	"context"
	"time"
)

// Start starts sending. Every Send ends with ctx.
func (q *Outbox[K]) Start(ctx context.Context) {
	ctx, q.stop = context.WithCancel(ctx)
	q.work.Go(func() { q.run(ctx) })
}

// Close stops sending and returns once no Send is in progress. If end is set, it interrupts
// them.
func (q *Outbox[K]) Close(end bool) {
	close(q.quit)
	if end {
		q.stop()
	}
	q.work.Wait()
	q.stop()
}

// run sends keys until the outbox is closed.
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

// await waits for the next entry to be sent; it returns nil when the outbox is closed.
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

// first starts the first entry in line that is ready and returns it, or nil.
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

// take removes and returns the first entry in line; nil if the line is empty or the outbox is
// paused.
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

// begin marks an entry as being sent, unless it was cancelled, dropped or postponed since its
// turn.
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

// Outcome is the result of a Send.
type Outcome int

// The outcomes.
const (
	Sent        Outcome = iota // if the key is still present, there is more to send
	Interrupted                // unknown; the caller offers the key again
	Failed                     // temporary, concerns this key only
	Blocked                    // temporary, concerns all keys
	Refused                    // permanent: the sender drops or resumes the key
)

// Ended records the outcome of a Send, and reports whether its sender has to handle that. It
// does not if the key was cancelled or dropped in the meantime.
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
	current := e.state == Sending
	if current && (o == Failed || o == Blocked) {
		q.failedLocked(e, err, o == Blocked)
	}
	q.moveLocked(e, map[Outcome]event{Sent: again, Interrupted: again, Failed: later, Blocked: again, Refused: refused}[o])
	return current
}
