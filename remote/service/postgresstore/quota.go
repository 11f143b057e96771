package postgresstore

import (
	"time"

	"paperfs/remote/service/store"
)

func monthOf(t time.Time) string { return t.UTC().Format("2006-01") }

func (t *tx) Usage(tenant int64, month time.Time) (u store.Usage, err error) {
	if err := t.flush(); err != nil {
		return u, err
	}
	var ms int64
	err = t.row(`SELECT media_bytes, papers, coalesce((SELECT ms FROM pdf_time WHERE pdf_time.tenant = tenant.id AND month = $2), 0) FROM tenant WHERE id = $1`,
		[]any{tenant, monthOf(month)}, &u.MediaBytes, &u.Papers, &ms)
	u.PDFTime = time.Duration(ms) * time.Millisecond
	return u, err
}

func (t *tx) AddPDFTime(tenant int64, month time.Time, d time.Duration) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	err := t.change(`INSERT INTO pdf_turn (tenant, turn) SELECT id, $2 FROM tenant WHERE id = $1
		ON CONFLICT (tenant) DO UPDATE SET turn = pdf_turn.turn + excluded.turn`, tenant, d.Milliseconds())
	if err != nil {
		return err
	}
	return t.change(`INSERT INTO pdf_time (tenant, month, ms) SELECT id, $2, $3 FROM tenant WHERE id = $1
		ON CONFLICT (tenant, month) DO UPDATE SET ms = pdf_time.ms + excluded.ms`, tenant, monthOf(month), d.Milliseconds())
}
