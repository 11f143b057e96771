package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

const (
	// workers is how many PDFs are processed at once.
	workers = 2
	// maxAttempts is how often a job is begun that does not come to an end of
	// its own: because the service was killed, or its worker was.
	maxAttempts = 3
	// retryPause is between attempts.
	retryPause = time.Second
)

// queue works off the store's pending jobs, the tenants in turn and of each the oldest first. The store is the
// queue: what is here is forgotten without loss.
type queue struct {
	service   *Service
	store     store.Store
	processor pdf.Processor
	stop      context.CancelFunc
	ended     sync.WaitGroup
	wake      chan struct{} // there may be work that nobody has looked at

	mu      sync.Mutex
	running map[string]int // percent done, by GUID
	turns   turns
}

func startQueue(s *Service, p pdf.Processor) *queue {
	ctx, stop := context.WithCancel(context.Background())
	q := &queue{service: s, store: s.store, processor: p, stop: stop, wake: make(chan struct{}, 1), running: map[string]int{}}
	for range workers {
		q.ended.Go(func() { q.work(ctx) })
	}
	q.look()
	return q
}

// close ends the workers; their jobs stay pending.
func (q *queue) close() {
	q.stop()
	q.ended.Wait()
}

// look makes a worker that has nothing to do look into the store.
func (q *queue) look() {
	select {
	case q.wake <- struct{}{}:
	default: // one is about to
	}
}

// progress tells how far a job is that is being worked at.
func (q *queue) progress(guid string) (percent int, running bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	percent, running = q.running[guid]
	return percent, running
}

func (q *queue) setProgress(guid string, percent int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running[guid] = percent
}

func (q *queue) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
		for q.workOne(ctx) {
		}
	}
}

// workOne works at the next job. It reports whether to go on at once: not where
// there is nothing to do.
func (q *queue) workOne(ctx context.Context) bool {
	w, found, err := q.next(ctx)
	if err != nil {
		if ctx.Err() == nil {
			q.service.log.Error("the queue of PDFs cannot be read", "error", err)
			pause(ctx, retryPause)
		}
		return ctx.Err() == nil
	}
	if !found {
		return false
	}
	defer q.leave(w.GUID)
	q.look() // for the other worker
	if err := q.run(ctx, w); err != nil && ctx.Err() == nil {
		q.service.log.Error("PDF not processed now", "job", w.GUID, "paper", w.Paper, "attempt", w.Attempts+1, "error", err)
		pause(ctx, retryPause)
	}
	return ctx.Err() == nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// next takes the work whose turn it is.
func (q *queue) next(ctx context.Context) (w store.Work, found bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []store.Work
	err = q.store.Read(ctx, func(tx store.Reader) (err error) {
		all, err = tx.AllWork()
		return err
	})
	if err != nil {
		return w, false, err
	}
	w, found = q.turns.next(all, func(guid string) bool { _, taken := q.running[guid]; return taken })
	if found {
		q.running[w.GUID] = 0
	}
	return w, found, nil
}

func (q *queue) leave(guid string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.running, guid)
}

// run begins a job and brings it to its end. An error means that it is still
// pending.
func (q *queue) run(ctx context.Context, w store.Work) error {
	if w.Attempts >= maxAttempts {
		return q.fail(w, "Processing was begun several times and never finished: the service or its worker was killed.")
	}
	if err := q.mayBegin(w); err != nil {
		if refused := (*fault.Fault)(nil); errors.As(err, &refused) {
			return q.fail(w, refused.Message)
		}
		return err
	}
	if err := q.setAttempts(w, w.Attempts+1); store.IsNotFound(err) {
		return nil // its tenant was removed
	} else if err != nil {
		return err
	}
	err := q.process(ctx, w)
	var failure *pdf.Failure
	switch {
	case err == nil, errors.Is(err, errJobGone):
		return nil
	case ctx.Err() != nil: // the service is being closed, which is no attempt
		return errors.Join(err, q.setAttempts(w, w.Attempts))
	case errors.As(err, &failure):
		return q.fail(w, failure.Reason)
	case w.Attempts+1 >= maxAttempts:
		return q.fail(w, "It could not be processed: "+err.Error()+".")
	}
	return err
}

func (q *queue) setAttempts(w store.Work, attempts int) error {
	return q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error { return tx.SetAttempts(w.GUID, attempts) })
}

// fail ends a job without pages. The licence gets its processing back.
func (q *queue) fail(w store.Work, reason string) error {
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error {
		if err := stillThere(tx, w); err != nil {
			return err
		}
		r, err := tx.Rendition(w.Paper)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err := tx.ReturnProcessing(w.Tenant); err != nil {
			return err
		}
		w.Status, w.Reason = remote.JobFailed, reason
		if err := tx.EndWork(w.GUID); err != nil {
			return err
		}
		if w.PDF != r.PDF { // else the paper's pages were made of it
			if err := tx.DropContent(w.PDF); err != nil {
				return err
			}
		}
		return tx.PutJob(w.Job)
	})
	if errors.Is(err, errJobGone) {
		return nil
	}
	if err != nil {
		return err
	}
	q.service.log.Warn("PDF failed", "job", w.GUID, "paper", w.Paper, "reason", reason)
	return nil
}

// errJobGone: a job's tenant was removed while it was under way.
var errJobGone = errors.New("the tenant of the job was removed")

func stillThere(tx store.Reader, w store.Work) error {
	_, err := tx.Job(w.Tenant, w.GUID)
	if store.IsNotFound(err) {
		return errJobGone
	}
	return err
}

// underWay is how many jobs are being worked at.
func (q *queue) underWay() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running)
}
