package postgresstore

import (
	"paperfs/remote"
	"paperfs/remote/service/store"
)

func (t *tx) AddWork(w store.Work) error {
	w.Status = remote.JobPending
	if err := t.PutJob(w.Job); err != nil {
		return err
	}
	t.pending.woken = true
	return t.Change(`INSERT INTO job_work (job, tenant, pdf, pdf_size, options, attempts, account) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		w.GUID, w.Tenant, w.PDF, w.PDFSize, w.Options, w.Attempts, w.Account)
}
