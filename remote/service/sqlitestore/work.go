package sqlitestore

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

func (t *tx) Backlog() (b store.Backlog, err error) {
	var oldest int64
	err = t.row(`SELECT count(*), count(*) FILTER (WHERE w.lease > `+now+`), coalesce(min(job.created), 0) FROM job_work w JOIN job ON job.guid = w.job`, nil, &b.Jobs, &b.UnderWay, &oldest)
	if b.Jobs > 0 {
		b.Oldest = time.Unix(oldest, 0).UTC()
	}
	return b, err
}

func (t *tx) CountWork(tenant int64) (count int, err error) {
	err = t.row(`SELECT count(*) FROM job_work w JOIN job ON job.guid = w.job WHERE job.tenant = ?`, []any{tenant}, &count)
	return count, err
}

func (t *tx) PendingJobs(tenant int64) ([]store.Job, error) {
	var all []store.Job
	err := t.each(`SELECT guid, node, created, progress, status FROM job WHERE tenant = ? AND status = 'Pending' ORDER BY created, guid`, []any{tenant},
		func(scan func(...any) error) error {
			j := store.Job{Tenant: tenant}
			var created int64
			err := scan(&j.GUID, &j.Paper, &created, &j.Progress, &j.Status)
			j.Created = time.Unix(created, 0).UTC()
			all = append(all, j)
			return err
		})
	return all, err
}

func (t *tx) AddWork(w store.Work) error {
	w.Status = remote.JobPending
	if err := t.PutJob(w.Job); err != nil {
		return err
	}
	return t.change(`INSERT INTO job_work (job, pdf, pdf_size, options, attempts) VALUES (?, ?, ?, ?, ?)`,
		w.GUID, w.PDF, w.PDFSize, w.Options, w.Attempts)
}

func (t *tx) FailForeign(paper int64, reason string) error {
	_, err := t.ExecContext(t.ctx, `UPDATE job SET status = ?, reason = ?
		WHERE node = ? AND status = 'Pending' AND guid NOT IN (SELECT job FROM job_work)`, remote.JobFailed, reason, paper)
	return translate(err)
}

func (t *tx) EndWork(guid, owner string) error {
	return t.change(`DELETE FROM job_work WHERE job = ? AND owner = ?`, guid, owner)
}

func (t *tx) TakeProcessing(tenant int64) (bool, error) {
	t.checkTenant(tenant)
	err := t.change(`UPDATE tenant SET processings = processings - 1 WHERE id = ? AND (processings IS NULL OR processings > 0)`, tenant)
	if err == store.ErrNotFound {
		return false, nil
	}
	return err == nil, err
}

func (t *tx) ReturnProcessing(tenant int64) error {
	t.checkTenant(tenant)
	return t.change(`UPDATE tenant SET processings = processings + 1 WHERE id = ?`, tenant)
}
