package sqlitestore

import (
	"time"

	"paperfs/remote/service/store"
)

func monthOf(t time.Time) string { return t.UTC().Format("2006-01") }

func (t *tx) Usage(tenant int64, month time.Time) (u store.Usage, err error) {
	var ms int64
	err = t.row(`SELECT media_bytes, papers, coalesce((SELECT ms FROM pdf_time WHERE tenant = id AND month = ?), 0) FROM tenant WHERE id = ?`,
		[]any{monthOf(month), tenant}, &u.MediaBytes, &u.Papers, &ms)
	u.PDFTime = time.Duration(ms) * time.Millisecond
	return u, err
}

func (t *tx) AddPDFTime(tenant int64, month time.Time, d time.Duration) error {
	t.checkTenant(tenant)
	if err := t.change(`UPDATE tenant SET pdf_turn = pdf_turn + ? WHERE id = ?`, d.Milliseconds(), tenant); err != nil {
		return err
	}
	return t.change(`INSERT INTO pdf_time (tenant, month, ms) SELECT id, ?, ? FROM tenant WHERE id = ?
		ON CONFLICT DO UPDATE SET ms = ms + excluded.ms`, monthOf(month), d.Milliseconds(), tenant)
}
