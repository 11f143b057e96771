package processing

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"paperfs/remote/clock"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

const (
	// defaultJobs is how many PDFs are processed at once.
	defaultJobs = 2
	// mostAttempts is when the queue gives up a job: after three attempts that failed because its worker died or
	// for another reason, or so many that ended with the service. Then the PDF was under way at each of these ends, and
	// is perhaps what ends it.
	mostAttempts = 3 * failedAttempt
	// failedAttempt is how many attempts one counts that failed while the service lived on.
	failedAttempt = 4
	// retryPause is the time between attempts.
	retryPause = time.Second
	// jobLease is how long a worker owns a job without renewing its lease.
	jobLease = 30 * time.Second
	// soleOwner is the owner of all jobs if only one process serves the data.
	soleOwner = "service"
	// look is how often a service checks for jobs that other processes queued: other services, and an operator who
	// restores a PDF.
	look = 5 * time.Second
)

// Config is what a queue works with. Drop removes content that no record names.
type Config struct {
	Store     store.Store
	Contents  store.Contents
	Processor pdf.Processor
	Jobs      int    // processed at once; 0 = 2, negative = none
	Scratch   string // directory for PDFs that are not in files of their own
	Drop      func(tenant int64, key string)
	Now       func() time.Time
	Log       *slog.Logger
	Shared    store.Store // the store that several services share; nil = this service is the only one
	Node      string      // name of this service among those
}

// Queue processes the store's pending jobs: the tenants share the time, and the oldest job of
// each is first (store.Claims). The store has the whole queue: nothing is lost with the memory of this
// process.
type Queue struct {
	Contents store.Contents // replaced by tests only

	store     store.Store
	processor pdf.Processor
	scratch   string
	drop      func(tenant int64, key string)
	now       func() time.Time
	log       *slog.Logger
	stop      context.CancelFunc
	ended     sync.WaitGroup
	owner     string // of the jobs that this process works on
	lease     time.Duration
	wake      chan struct{} // there may be a job to claim

	places int // PDFs at once, those that wait between two pages apart

	mu      sync.Mutex
	taken   int                 // places
	running map[string]Progress // by GUID
}

func newQueue(c Config) *Queue {
	return &Queue{Contents: c.Contents, store: c.Store, processor: c.Processor, scratch: c.Scratch, drop: c.Drop, now: c.Now, log: c.Log,
		places: max(0, cmp.Or(c.Jobs, defaultJobs)), lease: jobLease, owner: soleOwner, wake: make(chan struct{}, 1), running: map[string]Progress{}}
}

// Start starts the workers of a queue. Close ends them.
func Start(c Config) *Queue {
	ctx, stop := context.WithCancel(context.Background())
	q := newQueue(c)
	q.stop = stop
	if c.Shared != nil {
		q.owner = c.Node + " " + uuid.NewString()
	} else if err := c.Store.Abandon(ctx, q.owner); err != nil {
		// The jobs of the process before this one would be free at once. On a full disk
		// their leases have to end first; the service still serves what can be read.
		q.log.Error("unfinished PDFs wait until their leases end", "error", err)
	}
	if l, ok := c.Shared.(listener); ok {
		q.ended.Go(func() { l.Listen(ctx, q.Wake) })
	}
	for range q.places {
		q.ended.Go(func() { q.work(ctx) })
	}
	q.Wake()
	return q
}

// listener is a store that reports jobs which another service queued.
type listener interface {
	Listen(ctx context.Context, wake func())
}

// Close ends the workers; their jobs stay pending.
func (q *Queue) Close() {
	q.stop()
	q.ended.Wait()
}

// Wake makes an idle worker claim a job.
func (q *Queue) Wake() {
	select {
	case q.wake <- struct{}{}:
	default: // a worker is about to
	}
}

// Progress is how far a job is. Pages is 0 before that is known.
type Progress struct{ Percent, Page, Pages int }

// Progress returns how far a job is, and whether this process works on it.
func (q *Queue) Progress(guid string) (at Progress, running bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at, running = q.running[guid]
	return at, running
}

func (q *Queue) setProgress(guid string, page, pages int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running[guid] = Progress{min(99, 100*page/max(1, pages)), page, pages}
}

func (q *Queue) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		case <-time.After(look): // the lease of a job may have ended, too
		}
		q.take(1)
		for q.workOne(ctx) {
		}
		q.take(-1)
	}
}

// workOne processes the next job. It reports whether to go on at once; false if there is
// no job.
func (q *Queue) workOne(ctx context.Context) bool {
	w, err := q.store.Claim(ctx, q.owner, q.lease)
	if store.IsNotFound(err) {
		return false
	}
	if err != nil {
		if ctx.Err() == nil {
			q.log.Error("cannot read the queue of PDFs", "error", err)
			_ = clock.Sleep(ctx, retryPause)
		}
		return ctx.Err() == nil
	}
	return q.do(ctx, w, yielding{})
}

// do processes a job that was claimed. It reports whether to go on.
func (q *Queue) do(ctx context.Context, w store.Work, y yielding) bool {
	if !q.enter(w.GUID) {
		return true // the machine slept longer than a lease; another worker of this process still has the job
	}
	q.Wake() // another worker, for the next job
	attempts, err := q.run(ctx, w, y)
	if err != nil && ctx.Err() == nil {
		q.log.Error("PDF not processed, and tried again later", "job", w.GUID, "paper", w.Paper, "error", err)
		_ = clock.Sleep(ctx, retryPause)
	}
	// Before the release, so that the next worker to claim the job can begin at once.
	q.leave(w.GUID)
	if err != nil {
		q.release(w, attempts)
	}
	return ctx.Err() == nil
}

// enter notes that this process works on a job; false if it does already.
func (q *Queue) enter(guid string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, running := q.running[guid]; running {
		return false
	}
	q.running[guid] = Progress{}
	return true
}

func (q *Queue) leave(guid string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.running, guid)
}

// Running returns how many jobs this process works on.
func (q *Queue) Running() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running)
}

// Owner returns the owner of the jobs that this process works on.
func (q *Queue) Owner() string { return q.owner }
