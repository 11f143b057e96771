package store

import (
	"time"

	"paperfs/remote"
)

// Job is one processing of a paper's PDF.
type Job struct {
	GUID     string // lower case, 36 characters
	Tenant   int64
	Paper    int64
	Created  time.Time // UTC, to the second
	Progress int       // percent
	Status   remote.JobStatus
	Reason   string // why it failed, in words; "" for none known
}

// JobReader finds jobs.
type JobReader interface {
	Job(tenant int64, guid string) (Job, error)
	// BeingProcessed reports whether there is work of a paper to be done. A
	// pending job without it came from an import: its work is not done here.
	BeingProcessed(paper int64) (bool, error)
}

// JobWriter changes jobs.
type JobWriter interface {
	// PutJob adds a job, or replaces that of the same GUID. ErrTaken: another
	// job of the paper is pending, or the GUID is another tenant's.
	PutJob(j Job) error
}
