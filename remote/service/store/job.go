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
	Reason   string // why it failed; "" if unknown
}

// JobReader finds jobs.
type JobReader interface {
	Job(tenant int64, guid string) (Job, error)
	// BeingProcessed reports whether a paper has work to be done. A pending job without work came
	// from an import: this service does not process it.
	BeingProcessed(paper int64) (bool, error)
}

// JobWriter changes jobs.
type JobWriter interface {
	// PutJob adds a job or replaces the one with the same GUID. ErrTaken: another job of the
	// paper is pending, or another tenant has the GUID.
	PutJob(j Job) error
}
