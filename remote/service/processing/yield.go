package processing

import (
	"context"
	"time"

	"paperfs/remote/service/store"
)

// yielding is called between two pages of a job.
type yielding func(q *Queue, ctx context.Context, w store.Work, r *rendering) error

// yield gives the place of a job to another tenant's PDF if all places are taken, and the
// other tenant has none and has used less time: one tenant's long PDFs hold up the next tenant
// for no longer than a page. That one's PDF then keeps the place to its end, so while each place has
// a long one of a second tenant, a third tenant waits for one of them. The worker of the job waits meanwhile, as it does whenever nobody
// reads its pages; it keeps its memory, and the job its lease.
func (q *Queue) yield(ctx context.Context, w store.Work, r *rendering) error {
	if q.idle() {
		return nil
	}
	other, err := q.store.ClaimOther(ctx, q.owner, q.lease, w.Tenant, r.used())
	if err != nil {
		return ctx.Err() // also if nobody waits; what else is wrong, the next claim tells
	}
	began := time.Now()
	q.do(ctx, other, (*Queue).stay)
	r.yielded += time.Since(began)
	return ctx.Err()
}

// stay keeps the place: a place has at most one PDF that waits, since each needs memory.
func (q *Queue) stay(context.Context, store.Work, *rendering) error { return nil }

// take adds to the places that are taken.
func (q *Queue) take(places int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken += places
}

// idle reports whether a place is free: its worker takes what is queued.
func (q *Queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.taken < q.places
}
