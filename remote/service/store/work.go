package store

import (
	"context"
	"time"
)

// Work is what a pending job has to do.
type Work struct {
	Job
	PDF      string // key in a Contents
	PDFSize  int64  // bytes
	Options  string // as the service wrote them
	Attempts int    // begun and not known to have ended
}

// Backlog is the work of all tenants that is not done.
type Backlog struct {
	Jobs     int
	UnderWay int       // how many of them are somebody's, of any process
	Oldest   time.Time // when the oldest was queued; the zero time for none
}

// WorkReader finds work.
type WorkReader interface {
	Backlog() (Backlog, error)
	// CountWork is how much of it is a tenant's.
	CountWork(tenant int64) (int, error)
	// PendingJobs returns the pending jobs of a tenant, oldest first.
	PendingJobs(tenant int64) ([]Job, error)
}

// WorkWriter changes work.
type WorkWriter interface {
	// AddWork adds a job with its work. ErrTaken: another job of the paper is
	// pending.
	AddWork(w Work) error
	// FailForeign ends the pending job of a paper that came from an import,
	// where there is one.
	FailForeign(paper int64, reason string) error
	// EndWork removes the work of a job, which stays. ErrNotFound: the owner does
	// not have it.
	EndWork(guid, owner string) error
	// TakeProcessing counts one PDF less that a tenant may have processed;
	// false where none is left.
	TakeProcessing(tenant int64) (bool, error)
	// ReturnProcessing undoes TakeProcessing.
	ReturnProcessing(tenant int64) error
}

// Claims shares work among those who do it. Who claimed work has it until a lease
// ends, by the clock of the store; then another can claim it. Each method is a
// change of its own, which waits for no change of a tenant.
type Claims interface {
	// Claim takes the work whose turn it is and counts one more attempt at it. Its
	// turn has the tenant with the least under way, and of these the one that has
	// waited longest; of its work, the oldest. ErrNotFound: there is none to do.
	Claim(ctx context.Context, owner string, lease time.Duration) (Work, error)
	// Renew begins the lease again, and records how much is done. ErrNotFound: the
	// owner does not have the work.
	Renew(ctx context.Context, guid, owner string, progress int, lease time.Duration) error
	// Release lets others have the work at once, with so many attempts.
	// ErrNotFound: the owner does not have it.
	Release(ctx context.Context, guid, owner string, attempts int) error
	// Abandon ends the leases that an owner has: those of its former life.
	Abandon(ctx context.Context, owner string) error
}
