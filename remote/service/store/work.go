package store

// Work is what a pending job has to do.
type Work struct {
	Job
	PDF      string // key in a Contents
	PDFSize  int64  // bytes
	Options  string // as the service wrote them
	Attempts int    // begun and not known to have ended
}

// WorkReader finds work.
type WorkReader interface {
	// AllWork returns what is to be done for all tenants, first come first.
	AllWork() ([]Work, error)
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
	SetAttempts(guid string, attempts int) error
	// EndWork removes the work of a job, which stays.
	EndWork(guid string) error
	// TakeProcessing counts one PDF less that a tenant may have processed;
	// false where none is left.
	TakeProcessing(tenant int64) (bool, error)
	// ReturnProcessing undoes TakeProcessing.
	ReturnProcessing(tenant int64) error
}
