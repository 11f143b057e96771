package processing

import (
	"context"
	"time"

	"paperfs/remote/service/store"
)

// mostWaiting is how many PDFs of a place wait for others between two pages at most: each needs memory.
const mostWaiting = 3

// yielding gives a place away between two pages of a job. waiting PDFs of the place wait already.
type yielding struct{ waiting int }

// yield gives the place of a job to another tenant's PDF if all places are taken, and the
// other tenant has none and has used less time, and so may that PDF: long PDFs of up to four tenants a
// place hold up the next tenant for no longer than a page. The worker of the job waits meanwhile, as it
// does whenever nobody reads its pages; it keeps its memory, and the job its lease.
func (y yielding) yield(ctx context.Context, q *Queue, w store.Work, r *rendering) error {
	if y.waiting == mostWaiting || q.idle() {
		return nil
	}
	other, err := q.store.ClaimOther(ctx, q.owner, q.lease, w.Tenant, r.used())
	if err != nil {
		return ctx.Err() // also if nobody waits; what else is wrong, the next claim tells
	}
	began := time.Now()
	q.do(ctx, other, yielding{y.waiting + 1})
	r.yielded += time.Since(began)
	return ctx.Err()
}

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
