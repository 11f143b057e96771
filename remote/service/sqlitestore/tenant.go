package sqlitestore

import (
	"context"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// Caller implements store.Store.
func (s *Store) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	c, err := s.reading.take(ctx)
	if err != nil {
		return store.Caller{}, err
	}
	defer s.reading.put(c, nil)
	found, err := records.ScanCaller(c.QueryRowContext(ctx, records.Caller, host, account).Scan, account)
	return found, s.meet(translate(err))
}

func (t *tx) AddTenant(added store.Tenant) (int64, error) {
	if err := t.CheckTenant(store.AllTenants); err != nil {
		return 0, err
	}
	id, err := t.Insert(`INSERT INTO tenant (name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes, keep_days, keep_bytes)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		added.Name, added.RootURL, added.PublicURL, added.Processings, added.Orders, added.Quota.MediaBytes, added.Quota.Papers, added.Quota.PDFMinutes, added.Keep.Days, added.Keep.Bytes)
	if err != nil {
		return 0, err
	}
	if _, err := t.AddNode(store.Node{Tenant: id, Kind: remote.CategoryNode, Name: added.Name}); err != nil {
		return 0, err
	}
	return id, t.SetHosts(id, added.Hosts)
}

func (t *tx) AddPDFTime(tenant int64, month time.Time, d time.Duration) error {
	if err := t.CheckTenant(tenant); err != nil {
		return err
	}
	if err := t.Change(`UPDATE tenant SET pdf_turn = pdf_turn + $2 WHERE id = $1`, tenant, d.Milliseconds()); err != nil {
		return err
	}
	return t.Change(`INSERT INTO pdf_time (tenant, month, ms) SELECT id, $2, $3 FROM tenant WHERE id = $1
		ON CONFLICT DO UPDATE SET ms = ms + excluded.ms`, tenant, records.MonthOf(month), d.Milliseconds())
}
