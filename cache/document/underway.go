package document

import (
	"time"

	"paperfs/remote"
)

// JobUnderWay is a job that was started on this machine and is not known to have ended.
type JobUnderWay struct {
	GUID  string
	Paper int64
	Began time.Time
	Asked time.Time // when this mount last polled it; zero if never
}

// longestJob is the age after which a job without a known end no longer counts as under
// way, and one that failed is no news.
const longestJob = 24 * time.Hour

// JobsUnderWay returns the jobs that were started on this machine within a day and are not
// known to have ended, oldest first, and only the last one of each paper. It makes no
// requests, so a job may have ended since it was last polled.
func (c *Cache) JobsUnderWay() (jobs []JobUnderWay, err error) {
	return all(c.db, func(scan func(...any) error, j *JobUnderWay) error {
		var began int64
		err := scan(&j.GUID, &j.Paper, &began)
		j.Began, j.Asked = time.Unix(0, began).UTC(), c.jobs.lastAsked(j.GUID)
		return err
	}, `SELECT guid, paper, began FROM job WHERE status = 'Pending' AND began > ?
		AND rowid IN (SELECT max(rowid) FROM job WHERE paper IS NOT NULL GROUP BY paper) ORDER BY began`, c.now().Add(-longestJob).UnixNano())
}

// FailedJob is a job that was started on this machine and ended badly.
type FailedJob struct {
	Job

	Paper int64
	Began time.Time
}

// FailedJobs returns the jobs that were started on this machine within a day and ended badly, oldest
// first, and only the last one of each paper: a newer PDF replaces a job. It makes no requests.
func (c *Cache) FailedJobs() (jobs []FailedJob, err error) {
	return all(c.db, func(scan func(...any) error, j *FailedJob) error {
		var began int64
		err := scan(&j.GUID, &j.Status, &j.Reason, &j.Paper, &began)
		j.Began = time.Unix(0, began).UTC()
		return err
	}, `SELECT guid, status, reason, paper, began FROM job WHERE status IN (?, ?) AND began > ?
		AND rowid IN (SELECT max(rowid) FROM job WHERE paper IS NOT NULL GROUP BY paper) ORDER BY began`,
		remote.JobFailed, remote.JobEnrichmentFailed, c.now().Add(-longestJob).UnixNano())
}
