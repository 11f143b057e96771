package store

import (
	"context"
	"time"
)

// Work is a pending job with what is needed to do it.
type Work struct {
	Job
	PDF      string // key in a Contents
	PDFSize  int64  // bytes
	Options  string // in the service's own format
	Attempts int    // that began and are not known to have ended; a worker may count one as several
	Account  string // that sent it; only AddWork uses it
}

// Backlog is the unfinished work of all tenants.
type Backlog struct {
	Jobs     int
	UnderWay int       // how many are claimed, by any process
	Oldest   time.Time // when the oldest was queued; the zero time if there is none
}

// WorkReader finds work.
type WorkReader interface {
	Backlog() (Backlog, error)
	// CountWork returns how many of these jobs are a tenant's.
	CountWork(tenant int64) (int, error)
	// PendingJobs returns the pending jobs of a tenant, oldest first.
	PendingJobs(tenant int64) ([]Job, error)
}

// WorkWriter changes work.
type WorkWriter interface {
	// AddWork adds a job with its work. ErrTaken: another job of the paper is
	// pending.
	AddWork(w Work) error
	// FailForeign ends the pending job of a paper that came from an import, if there is one.
	FailForeign(paper int64, reason string) error
	// EndWork removes the work of a job but keeps the job. ErrNotFound: the owner does not hold
	// it.
	EndWork(guid, owner string) error
	// TakeProcessing counts one PDF less that a tenant may have processed; false if none is left.
	TakeProcessing(tenant int64) (bool, error)
	// ReturnProcessing undoes TakeProcessing.
	ReturnProcessing(tenant int64) error
}

// TurnCredit is by how much used time a tenant can be ahead of those who used the most.
const TurnCredit = 10 * time.Minute

// Claims distributes work among workers. The worker that claimed work holds it until its lease
// ends, by the clock of the store; then another can claim it. Each method is a change of its own,
// which does not wait for the changes of tenants.
type Claims interface {
	// Claim takes the next work and counts another attempt. Next is the tenant with the least
	// work under way; among equals the one that has used the least time (AddPDFTime), for
	// which one that had nothing to do is at most TurnCredit ahead of the others; of its work
	// the oldest. ErrNotFound: there is nothing to do.
	Claim(ctx context.Context, owner string, lease time.Duration) (Work, error)
	// ClaimOther is Claim of work for which a tenant's own, which has used more time than is
	// recorded, should wait: that of a tenant with nothing under way, which has used less.
	ClaimOther(ctx context.Context, owner string, lease time.Duration, tenant int64, used time.Duration) (Work, error)
	// Renew restarts the lease and records the progress. ErrNotFound: the owner does not hold the
	// work.
	Renew(ctx context.Context, guid, owner string, progress int, lease time.Duration) error
	// Release lets others claim the work at once and sets its count of attempts. ErrNotFound: the
	// owner does not hold it.
	Release(ctx context.Context, guid, owner string, attempts int) error
	// Abandon ends the leases of an owner: those that remain from before its restart.
	Abandon(ctx context.Context, owner string) error
	// ClaimWebhooks takes all webhooks that no other owner has, and returns those that this one has. It renews
	// the leases, too.
	ClaimWebhooks(ctx context.Context, owner string, lease time.Duration) ([]int64, error)
}
