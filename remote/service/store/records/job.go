package records

import (
	"fmt"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

func scanJob(scan func(...any) error, j *store.Job) error {
	var created int64
	err := scan(&j.GUID, &j.Paper, &created, &j.Progress, &j.Status, &j.Reason)
	j.Created = time.Unix(created, 0).UTC()
	return err
}

// Job implements store.JobReader.
func (q Queries) Job(tenant int64, guid string) (store.Job, error) {
	j := store.Job{Tenant: tenant}
	err := scanJob(func(into ...any) error {
		return q.tx.Row(q.dialect.Jobs+` WHERE job.guid = $1 AND job.tenant = $2`, []any{guid, tenant}, into...)
	}, &j)
	return j, err
}

// PendingJobs implements store.WorkReader.
func (q Queries) PendingJobs(tenant int64) ([]store.Job, error) {
	return All(q.tx, q.dialect.Jobs+` WHERE job.tenant = $1 AND job.status = 'Pending' ORDER BY job.created, job.guid`, []any{tenant},
		func(scan func(...any) error, j *store.Job) error {
			j.Tenant = tenant
			return scanJob(scan, j)
		})
}

// BeingProcessed implements store.JobReader.
func (q Queries) BeingProcessed(paper int64) (pending bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM job JOIN job_work ON job_work.job = job.guid WHERE node = $1 AND status = 'Pending')`, []any{paper}, &pending)
	return pending, err
}

// Backlog implements store.WorkReader.
func (q Queries) Backlog() (b store.Backlog, err error) {
	var oldest int64
	err = q.tx.Row(`SELECT count(*), count(*) FILTER (WHERE w.lease > `+q.dialect.Now+`), coalesce(min(job.created), 0) FROM job_work w JOIN job ON job.guid = w.job`,
		nil, &b.Jobs, &b.UnderWay, &oldest)
	if b.Jobs > 0 {
		b.Oldest = time.Unix(oldest, 0).UTC()
	}
	return b, err
}

// CountWork implements store.WorkReader.
func (q Queries) CountWork(tenant int64) (count int, err error) {
	err = q.tx.Row(`SELECT count(*) FROM job_work w JOIN job ON job.guid = w.job WHERE job.tenant = $1`, []any{tenant}, &count)
	return count, err
}

// PutJob implements store.JobWriter.
func (q Queries) PutJob(j store.Job) error {
	if err := q.tx.CheckTenant(j.Tenant); err != nil {
		return err
	}
	err := q.tx.Change(`INSERT INTO job (guid, tenant, node, created, progress, status, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (guid) DO UPDATE SET node = excluded.node, created = excluded.created, progress = excluded.progress, status = excluded.status,
			reason = excluded.reason
		WHERE job.tenant = excluded.tenant`, j.GUID, j.Tenant, j.Paper, j.Created.Unix(), j.Progress, j.Status, j.Reason)
	if err == store.ErrNotFound {
		return q.tx.Fail(fmt.Errorf("%w: the job belongs to another tenant", store.ErrTaken))
	}
	return err
}

// FailForeign implements store.WorkWriter.
func (q Queries) FailForeign(paper int64, reason string) error {
	return q.tx.Exec(`UPDATE job SET status = $2, reason = $3
		WHERE node = $1 AND status = 'Pending' AND NOT EXISTS (SELECT 1 FROM job_work WHERE job_work.job = job.guid)`, paper, remote.JobFailed, reason)
}

// EndWork implements store.WorkWriter.
func (q Queries) EndWork(guid, owner string) error {
	return q.tx.Change(`DELETE FROM job_work WHERE job = $1 AND owner = $2`, guid, owner)
}

// TakeProcessing implements store.WorkWriter.
func (q Queries) TakeProcessing(tenant int64) (bool, error) {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return false, err
	}
	err := q.tx.Change(`UPDATE tenant SET processings = processings - 1 WHERE id = $1 AND (processings IS NULL OR processings > 0)`, tenant)
	return err == nil, store.IgnoreNotFound(err)
}

// ReturnProcessing implements store.WorkWriter.
func (q Queries) ReturnProcessing(tenant int64) error {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return err
	}
	return q.tx.Change(`UPDATE tenant SET processings = processings + 1 WHERE id = $1`, tenant)
}
