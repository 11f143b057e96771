package postgresstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const tenantColumns = `tenant.id, tenant.name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes,
	coalesce((SELECT id FROM node WHERE node.tenant = tenant.id AND parent IS NULL), 0)`

func tenantInto(k *store.Tenant, more ...any) []any {
	return append([]any{&k.ID, &k.Name, &k.RootURL, &k.PublicURL, &k.Processings, &k.Orders,
		&k.Quota.MediaBytes, &k.Quota.Papers, &k.Quota.PDFMinutes, &k.Root}, more...)
}

func (t *tx) tenant(where string, arg any) (k store.Tenant, err error) {
	err = t.row(`SELECT `+tenantColumns+` FROM tenant `+where, []any{arg}, tenantInto(&k)...)
	return k, err
}

const ofHost = `tenant.id = coalesce((SELECT tenant FROM tenant_host WHERE host = $1), (SELECT id FROM tenant WHERE name = 'default'))`

func (t *tx) TenantByHost(host string) (store.Tenant, error) {
	return t.tenant(`WHERE `+ofHost, host)
}

// Caller implements store.Store.
func (s *Store) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	var k store.Caller
	err := retry(ctx, readers, func() (err error) {
		k, err = callerOf(sanitizer{s.reading}.QueryRow(ctx, caller, host, account), account)
		return err
	})
	return k, translate(ctx, err)
}

func (t *tx) Caller(host, account string) (store.Caller, error) {
	k, err := callerOf(t.QueryRow(t.ctx, caller, host, account), account)
	if err == pgx.ErrNoRows {
		return k, store.ErrNotFound
	}
	return k, t.fail(err)
}

const caller = `SELECT ` + tenantColumns + `, read_only, account.id, key_hash, role, old_key_hash, old_key_until
	FROM tenant CROSS JOIN service LEFT JOIN account ON account.tenant = tenant.id AND account.name = $2 WHERE ` + ofHost

func callerOf(row pgx.Row, account string) (k store.Caller, err error) {
	var id, role, until *int64
	var hash, old []byte
	err = row.Scan(tenantInto(&k.Tenant, &k.ReadOnly, &id, &hash, &role, &old, &until)...)
	if err == nil && id != nil {
		k.Account = store.Account{ID: *id, Tenant: k.Tenant.ID, Name: account, Role: remote.Role(*role), KeyHash: [32]byte(hash)}
		if until != nil {
			k.Account.OldKey = &store.OldKey{Hash: [32]byte(old), Until: time.Unix(*until, 0).UTC()}
		}
	}
	return k, err
}

func (t *tx) Tenant(id int64) (store.Tenant, error) { return t.tenant(`WHERE tenant.id = $1`, id) }

func (t *tx) TenantByName(name string) (store.Tenant, error) {
	k, err := t.tenant(`WHERE name = $1`, name)
	if err != nil {
		return k, err
	}
	err = t.row(`SELECT array_agg(host ORDER BY host) FROM tenant_host WHERE tenant = $1`, []any{k.ID}, &k.Hosts)
	return k, err
}

func (t *tx) Tenants() ([]store.Tenant, error) {
	return all(t, `SELECT `+tenantColumns+`, (SELECT array_agg(host ORDER BY host) FROM tenant_host WHERE tenant = tenant.id)
		FROM tenant ORDER BY name`, nil, func(scan func(...any) error, k *store.Tenant) error {
		return scan(tenantInto(k, &k.Hosts)...)
	})
}

func (t *tx) AddTenant(k store.Tenant) (int64, error) {
	if err := t.checkTenant(store.AllTenants); err != nil {
		return 0, err
	}
	id, err := t.insert(`INSERT INTO tenant (name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes, tree_version, media_version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
		k.Name, k.RootURL, k.PublicURL, k.Processings, k.Orders, k.Quota.MediaBytes, k.Quota.Papers, k.Quota.PDFMinutes, random(), random())
	if err != nil {
		return 0, err
	}
	if _, err := t.AddNode(store.Node{Tenant: id, Kind: remote.CategoryNode, Name: k.Name}); err != nil {
		return 0, err
	}
	return id, t.addHosts(id, k.Hosts)
}

func (t *tx) SetTenant(k store.Tenant) error {
	if err := t.checkTenant(k.ID); err != nil {
		return err
	}
	err := t.change(`UPDATE tenant SET root_url = $2, public_url = $3, processings = $4, orders = $5, quota_media_bytes = $6, quota_papers = $7, quota_pdf_minutes = $8
		WHERE id = $1`, k.ID, k.RootURL, k.PublicURL, k.Processings, k.Orders, k.Quota.MediaBytes, k.Quota.Papers, k.Quota.PDFMinutes)
	if err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM tenant_host WHERE tenant = $1`, k.ID); err != nil {
		return err
	}
	return t.addHosts(k.ID, k.Hosts)
}

func (t *tx) addHosts(tenant int64, hosts []string) error {
	if len(hosts) == 0 {
		return nil
	}
	return t.exec(`INSERT INTO tenant_host (host, tenant) SELECT unnest($1::text[]), $2`, hosts, tenant)
}

func (t *tx) ReadOnly() (on bool, err error) {
	err = t.row(`SELECT read_only FROM service`, nil, &on)
	return on, err
}

func (t *tx) SetReadOnly(on bool) error {
	if err := t.checkTenant(store.AllTenants); err != nil {
		return err
	}
	return t.change(`UPDATE service SET read_only = $1`, on)
}
