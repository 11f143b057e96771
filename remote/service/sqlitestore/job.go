package sqlitestore

import (
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

func (t *tx) Job(tenant int64, guid string) (store.Job, error) {
	j := store.Job{GUID: guid, Tenant: tenant}
	var created int64
	err := t.row(`SELECT node, created, progress, status, reason FROM job WHERE guid = ? AND tenant = ?`, []any{guid, tenant},
		&j.Paper, &created, &j.Progress, &j.Status, &j.Reason)
	j.Created = time.Unix(created, 0).UTC()
	return j, err
}

func (t *tx) BeingProcessed(paper int64) (pending bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM job JOIN job_work ON job_work.job = job.guid WHERE node = ? AND status = 'Pending')`, []any{paper}, &pending)
	return pending, err
}

func (t *tx) PutJob(j store.Job) error {
	t.checkTenant(j.Tenant)
	err := t.change(`INSERT INTO job (guid, tenant, node, created, progress, status, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (guid) DO UPDATE SET node = excluded.node, created = excluded.created, progress = excluded.progress, status = excluded.status,
			reason = excluded.reason
		WHERE tenant = excluded.tenant`, j.GUID, j.Tenant, j.Paper, j.Created.Unix(), j.Progress, j.Status, j.Reason)
	if err == store.ErrNotFound {
		return fmt.Errorf("%w: the job belongs to another tenant", store.ErrTaken)
	}
	return err
}
