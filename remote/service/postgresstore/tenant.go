package postgresstore

import (
	"context"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// Caller implements store.Store.
func (s *Store) Caller(ctx context.Context, host, account string) (found store.Caller, err error) {
	err = retry(ctx, readers, func() (err error) {
		found, err = records.ScanCaller(sanitizer{s.reading}.QueryRow(ctx, records.Caller, host, account).Scan, account)
		return err
	})
	return found, translate(ctx, err)
}

func (t *tx) AddTenant(added store.Tenant) (int64, error) {
	if err := t.CheckTenant(store.AllTenants); err != nil {
		return 0, err
	}
	id, err := t.Insert(`INSERT INTO tenant (name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes, keep_days, keep_bytes, tree_version, media_version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		added.Name, added.RootURL, added.PublicURL, added.Processings, added.Orders, added.Quota.MediaBytes, added.Quota.Papers, added.Quota.PDFMinutes, added.Keep.Days, added.Keep.Bytes, random(), random())
	if err != nil {
		return 0, err
	}
	if _, err := t.AddNode(store.Node{Tenant: id, Kind: remote.CategoryNode, Name: added.Name}); err != nil {
		return 0, err
	}
	return id, t.SetHosts(id, added.Hosts)
}

func (t *tx) DeleteTenant(id int64) error {
	delete(t.pending.tenants, id)
	return t.Queries.DeleteTenant(id)
}

func (t *tx) Usage(tenant int64, month time.Time) (store.Usage, error) {
	if err := t.flush(); err != nil {
		return store.Usage{}, err
	}
	return t.Queries.Usage(tenant, month)
}

func (t *tx) AddPDFTime(tenant int64, month time.Time, d time.Duration) error {
	if err := t.CheckTenant(tenant); err != nil {
		return err
	}
	err := t.Change(`INSERT INTO pdf_turn (tenant, turn) SELECT id, $2 FROM tenant WHERE id = $1
		ON CONFLICT (tenant) DO UPDATE SET turn = pdf_turn.turn + excluded.turn`, tenant, d.Milliseconds())
	if err != nil {
		return err
	}
	return t.Change(`INSERT INTO pdf_time (tenant, month, ms) SELECT id, $2, $3 FROM tenant WHERE id = $1
		ON CONFLICT (tenant, month) DO UPDATE SET ms = pdf_time.ms + excluded.ms`, tenant, records.MonthOf(month), d.Milliseconds())
}
