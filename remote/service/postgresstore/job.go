package postgresstore

import (
	"fmt"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const jobColumns = `job.guid, job.node, job.created, coalesce(w.progress, job.progress), job.status, job.reason`

func scanJob(scan func(...any) error, j *store.Job) error {
	var created int64
	err := scan(&j.GUID, &j.Paper, &created, &j.Progress, &j.Status, &j.Reason)
	j.Created = time.Unix(created, 0).UTC()
	return err
}

func (t *tx) Job(tenant int64, guid string) (store.Job, error) {
	j := store.Job{Tenant: tenant}
	err := scanJob(func(into ...any) error {
		return t.row(`SELECT `+jobColumns+` FROM job LEFT JOIN job_work w ON w.job = job.guid WHERE job.guid = $1 AND job.tenant = $2`, []any{guid, tenant}, into...)
	}, &j)
	return j, err
}

func (t *tx) BeingProcessed(paper int64) (pending bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM job JOIN job_work ON job_work.job = job.guid WHERE node = $1 AND status = 'Pending')`, []any{paper}, &pending)
	return pending, err
}

func (t *tx) PutJob(j store.Job) error {
	if err := t.checkTenant(j.Tenant); err != nil {
		return err
	}
	err := t.change(`INSERT INTO job (guid, tenant, node, created, progress, status, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (guid) DO UPDATE SET node = excluded.node, created = excluded.created, progress = excluded.progress, status = excluded.status,
			reason = excluded.reason
		WHERE job.tenant = excluded.tenant`, j.GUID, j.Tenant, j.Paper, j.Created.Unix(), j.Progress, j.Status, j.Reason)
	if err == store.ErrNotFound {
		return t.fail(fmt.Errorf("%w: the job belongs to another tenant", store.ErrTaken))
	}
	return err
}

func (t *tx) Backlog() (b store.Backlog, err error) {
	var oldest int64
	err = t.row(`SELECT count(*), count(*) FILTER (WHERE w.lease > clock_timestamp()), coalesce(min(job.created), 0) FROM job_work w JOIN job ON job.guid = w.job`, nil, &b.Jobs, &b.UnderWay, &oldest)
	if b.Jobs > 0 {
		b.Oldest = time.Unix(oldest, 0).UTC()
	}
	return b, err
}

func (t *tx) CountWork(tenant int64) (count int, err error) {
	err = t.row(`SELECT count(*) FROM job_work WHERE tenant = $1`, []any{tenant}, &count)
	return count, err
}

func (t *tx) PendingJobs(tenant int64) ([]store.Job, error) {
	return all(t, `SELECT `+jobColumns+` FROM job LEFT JOIN job_work w ON w.job = job.guid
		WHERE job.tenant = $1 AND job.status = 'Pending' ORDER BY job.created, job.guid`, []any{tenant},
		func(scan func(...any) error, j *store.Job) error {
			j.Tenant = tenant
			return scanJob(scan, j)
		})
}

func (t *tx) AddWork(w store.Work) error {
	w.Status = remote.JobPending
	if err := t.PutJob(w.Job); err != nil {
		return err
	}
	t.pending.woken = true
	return t.change(`INSERT INTO job_work (job, tenant, pdf, pdf_size, options, attempts) VALUES ($1, $2, $3, $4, $5, $6)`,
		w.GUID, w.Tenant, w.PDF, w.PDFSize, w.Options, w.Attempts)
}

func (t *tx) FailForeign(paper int64, reason string) error {
	return t.exec(`UPDATE job SET status = $2, reason = $3
		WHERE node = $1 AND status = 'Pending' AND NOT EXISTS (SELECT 1 FROM job_work WHERE job = guid)`, paper, remote.JobFailed, reason)
}

func (t *tx) EndWork(guid, owner string) error {
	return t.change(`DELETE FROM job_work WHERE job = $1 AND owner = $2`, guid, owner)
}

func (t *tx) TakeProcessing(tenant int64) (bool, error) {
	if err := t.checkTenant(tenant); err != nil {
		return false, err
	}
	err := t.change(`UPDATE tenant SET processings = processings - 1 WHERE id = $1 AND (processings IS NULL OR processings > 0)`, tenant)
	if err == store.ErrNotFound {
		return false, nil
	}
	return err == nil, err
}

func (t *tx) ReturnProcessing(tenant int64) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	return t.change(`UPDATE tenant SET processings = processings + 1 WHERE id = $1`, tenant)
}
