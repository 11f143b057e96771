package sqlitestore

import (
	"paperfs/remote"
	"paperfs/remote/service/store"
)

func (t *tx) AddWork(w store.Work) error {
	w.Status = remote.JobPending
	if err := t.PutJob(w.Job); err != nil {
		return err
	}
	return t.Change(`INSERT INTO job_work (job, pdf, pdf_size, options, attempts, account) VALUES (?, ?, ?, ?, ?, ?)`,
		w.GUID, w.PDF, w.PDFSize, w.Options, w.Attempts, w.Account)
}
