package service

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

const (
	// defaultJobs is how many PDFs are processed at once.
	defaultJobs = 2
	// maxAttempts is how often a job is begun that does not come to an end of
	// its own: because the service was killed, or its worker was.
	maxAttempts = 3
	// retryPause is between attempts.
	retryPause = time.Second
	// jobLease is how long a job is a worker's that does not renew it.
	jobLease = 30 * time.Second
	// soleOwner is who has the jobs of the only process that serves the data.
	soleOwner = "service"
	// sharedLook is how often a service looks for jobs that others queued.
	sharedLook = 5 * time.Second
)

// queue works off the store's pending jobs, the tenants in turn and of each the
// oldest first. The store is the queue: what is here is forgotten without loss.
type queue struct {
	service   *Service
	store     store.Store
	processor pdf.Processor
	stop      context.CancelFunc
	ended     sync.WaitGroup
	owner     string // who has the jobs that are worked at here
	lease     time.Duration
	every     time.Duration // after which the store is looked into, at the latest
	wake      chan struct{} // there may be work that nobody has looked at

	mu      sync.Mutex
	running map[string]int // percent done, by GUID
}

func startQueue(s *Service, p pdf.Processor) *queue {
	ctx, stop := context.WithCancel(context.Background())
	q := &queue{service: s, store: s.store, processor: p, stop: stop, lease: jobLease, every: jobLease, owner: soleOwner, wake: make(chan struct{}, 1), running: map[string]int{}}
	if apart := s.options.Apart; apart != nil {
		q.owner, q.every = apart.Node+" "+uuid.NewString(), sharedLook
	} else if err := s.store.Abandon(ctx, q.owner); err != nil {
		// What the process before this one had does not wait for the end of its leases.
		// On a full disk it does, and the service serves what can be read.
		s.log.Error("PDFs that were under way wait for the end of their leases", "error", err)
	}
	if l, ok := apart(s).(listener); ok {
		q.ended.Go(func() { l.Listen(ctx, q.look) })
	}
	for range max(0, cmp.Or(s.options.PDFJobs, defaultJobs)) {
		q.ended.Go(func() { q.work(ctx) })
	}
	q.look()
	return q
}

// listener is a store that tells of work which another service queued.
type listener interface {
	Listen(ctx context.Context, wake func())
}

// apart is the store that is not in the data directory; nil where none is.
func apart(s *Service) store.Store {
	if s.options.Apart == nil {
		return nil
	}
	return s.options.Apart.Store
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
		case <-time.After(q.every): // the lease of a job may have ended
		}
		for q.workOne(ctx) {
		}
	}
}

// workOne works at the next job. It reports whether to go on at once: not where
// there is nothing to do.
func (q *queue) workOne(ctx context.Context) bool {
	w, err := q.store.Claim(ctx, q.owner, q.lease)
	if store.IsNotFound(err) {
		return false
	}
	if err != nil {
		if ctx.Err() == nil {
			q.service.log.Error("the queue of PDFs cannot be read", "error", err)
			pause(ctx, retryPause)
		}
		return ctx.Err() == nil
	}
	if !q.enter(w.GUID) {
		return true // the machine slept longer than a lease; the work on it goes on
	}
	q.look() // for the other worker
	attempts, err := q.run(ctx, w)
	if err != nil && ctx.Err() == nil {
		q.service.log.Error("PDF not processed now", "job", w.GUID, "paper", w.Paper, "attempt", w.Attempts, "error", err)
		pause(ctx, retryPause)
	}
	// Before it can be claimed, so that its work can begin at once.
	q.leave(w.GUID)
	if err != nil {
		q.release(w, attempts)
	}
	return ctx.Err() == nil
}

// release lets any worker have a job. Where that fails, its lease ends.
func (q *queue) release(w store.Work, attempts int) {
	err := q.store.Release(context.Background(), w.GUID, q.owner, attempts)
	if store.IgnoreNotFound(err) != nil {
		q.service.log.Error("a PDF waits for the end of its lease", "job", w.GUID, "error", err)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// enter notes a job as being worked at; false where it is that already.
func (q *queue) enter(guid string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, running := q.running[guid]; running {
		return false
	}
	q.running[guid] = 0
	return true
}

func (q *queue) leave(guid string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.running, guid)
}

// run brings a job to its end. An error means that it is still pending, with so
// many attempts.
func (q *queue) run(ctx context.Context, w store.Work) (attempts int, err error) {
	if w.Attempts > maxAttempts {
		return w.Attempts, q.fail(w, "Processing was begun several times and never finished: the service or its worker was killed.")
	}
	if err := q.mayBegin(w); err != nil {
		if refused := (*fault.Fault)(nil); errors.As(err, &refused) {
			return w.Attempts, q.fail(w, refused.Message)
		}
		if store.IsNotFound(err) {
			return w.Attempts, nil // its tenant was removed
		}
		return w.Attempts - 1, err
	}
	err = q.process(ctx, w)
	var failure *pdf.Failure
	switch {
	case err == nil, errors.Is(err, errJobGone):
		return w.Attempts, nil
	case ctx.Err() != nil, errors.Is(err, store.ErrAway): // the service is being closed, or has to wait, which is no attempt
		return w.Attempts - 1, err
	case errors.As(err, &failure):
		return w.Attempts, q.fail(w, failure.Reason)
	case w.Attempts >= maxAttempts:
		return w.Attempts, q.fail(w, "It could not be processed: "+err.Error()+".")
	}
	return w.Attempts, err
}

// fail ends a job without pages. The licence gets its processing back.
func (q *queue) fail(w store.Work, reason string) error {
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error {
		if err := q.endWork(tx, w); err != nil {
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

// errJobGone: while a job was under way its tenant was removed, or its lease ended
// and another took it over.
var errJobGone = errors.New("the job is gone, or another has taken it over")

func (q *queue) endWork(tx store.Writer, w store.Work) error {
	err := tx.EndWork(w.GUID, q.owner)
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
