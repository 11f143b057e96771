package sqlitestore

import (
	"context"
	"database/sql"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const tenantColumns = `tenant.id, tenant.name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes, (SELECT id FROM node WHERE tenant = tenant.id AND parent IS NULL)`

func (t *tx) tenant(where string, arg any) (store.Tenant, error) {
	return scanTenant(t.QueryRowContext(t.ctx, `SELECT `+tenantColumns+` FROM tenant `+where, arg).Scan)
}

func scanTenant(scan func(...any) error) (store.Tenant, error) {
	var k store.Tenant
	err := scan(&k.ID, &k.Name, &k.RootURL, &k.PublicURL, &k.Processings, &k.Orders,
		&k.Quota.MediaBytes, &k.Quota.Papers, &k.Quota.PDFMinutes, &k.Root)
	return k, translate(err)
}

func (t *tx) hosts(tenant int64) ([]string, error) {
	var hosts []string
	err := t.each(`SELECT host FROM tenant_host WHERE tenant = ? ORDER BY host`, []any{tenant}, func(scan func(...any) error) error {
		var host string
		err := scan(&host)
		hosts = append(hosts, host)
		return err
	})
	return hosts, err
}

const ofHost = `tenant.id = coalesce((SELECT tenant FROM tenant_host WHERE host = ?), (SELECT id FROM tenant WHERE name = 'default'))`

func (t *tx) TenantByHost(host string) (store.Tenant, error) {
	return t.tenant(`WHERE `+ofHost, host)
}

// Caller implements store.Store.
func (s *Store) Caller(ctx context.Context, host, account string) (k store.Caller, err error) {
	c, err := s.reading.take(ctx)
	if err != nil {
		return k, err
	}
	defer s.reading.put(c, nil)
	k, err = callerOf(ctx, c.QueryRowContext, host, account)
	return k, s.meet(err)
}

func (t *tx) Caller(host, account string) (store.Caller, error) {
	return callerOf(t.ctx, t.QueryRowContext, host, account)
}

func callerOf(ctx context.Context, query func(context.Context, string, ...any) *sql.Row, host, account string) (k store.Caller, err error) {
	var id, role, until sql.NullInt64
	var hash, old []byte
	k.Tenant, err = scanTenant(func(tenant ...any) error {
		return query(ctx, `SELECT `+tenantColumns+`, read_only, account.id, key_hash, role, old_key_hash, old_key_until
			FROM tenant, service LEFT JOIN account ON account.tenant = tenant.id AND account.name = ? WHERE `+ofHost, account, host).
			Scan(append(tenant, &k.ReadOnly, &id, &hash, &role, &old, &until)...)
	})
	if id.Valid {
		k.Account = store.Account{ID: id.Int64, Tenant: k.Tenant.ID, Name: account, Role: remote.Role(role.Int64)}
		copy(k.Account.KeyHash[:], hash)
		if until.Valid {
			k.Account.OldKey = &store.OldKey{Hash: [32]byte(old), Until: time.Unix(until.Int64, 0).UTC()}
		}
	}
	return k, err
}

func (t *tx) Tenant(id int64) (store.Tenant, error) { return t.tenant(`WHERE tenant.id = ?`, id) }

func (t *tx) TenantByName(name string) (store.Tenant, error) {
	k, err := t.tenant(`WHERE name = ?`, name)
	if err != nil {
		return k, err
	}
	k.Hosts, err = t.hosts(k.ID)
	return k, err
}

func (t *tx) Tenants() ([]store.Tenant, error) {
	var all []store.Tenant
	err := t.each(`SELECT `+tenantColumns+` FROM tenant ORDER BY name`, nil, func(scan func(...any) error) error {
		k, err := scanTenant(scan)
		all = append(all, k)
		return err
	})
	for i := range all {
		if err == nil {
			all[i].Hosts, err = t.hosts(all[i].ID)
		}
	}
	return all, err
}

func (t *tx) AddTenant(k store.Tenant) (int64, error) {
	t.checkTenant(store.AllTenants)
	id, err := t.insert(`INSERT INTO tenant (name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, k.Name, k.RootURL, k.PublicURL, k.Processings, k.Orders, k.Quota.MediaBytes, k.Quota.Papers, k.Quota.PDFMinutes)
	if err != nil {
		return 0, err
	}
	if _, err := t.AddNode(store.Node{Tenant: id, Kind: remote.CategoryNode, Name: k.Name}); err != nil {
		return 0, err
	}
	return id, t.setHosts(id, k.Hosts)
}

func (t *tx) SetTenant(k store.Tenant) error {
	t.checkTenant(k.ID)
	err := t.change(`UPDATE tenant SET root_url = ?, public_url = ?, processings = ?, orders = ?, quota_media_bytes = ?, quota_papers = ?, quota_pdf_minutes = ?
		WHERE id = ?`, k.RootURL, k.PublicURL, k.Processings, k.Orders, k.Quota.MediaBytes, k.Quota.Papers, k.Quota.PDFMinutes, k.ID)
	if err != nil {
		return err
	}
	return t.setHosts(k.ID, k.Hosts)
}

func (t *tx) setHosts(tenant int64, hosts []string) error {
	if _, err := t.ExecContext(t.ctx, `DELETE FROM tenant_host WHERE tenant = ?`, tenant); err != nil {
		return translate(err)
	}
	for _, host := range hosts {
		if _, err := t.ExecContext(t.ctx, `INSERT INTO tenant_host (host, tenant) VALUES (?, ?)`, host, tenant); err != nil {
			return translate(err)
		}
	}
	return nil
}

func (t *tx) ReadOnly() (on bool, err error) {
	err = t.row(`SELECT read_only FROM service`, nil, &on)
	return on, err
}

func (t *tx) SetReadOnly(on bool) error {
	t.checkTenant(store.AllTenants)
	return t.change(`UPDATE service SET read_only = ?`, on)
}

const accountColumns = `id, tenant, name, key_hash, role`

func scanAccount(scan func(...any) error) (store.Account, error) {
	var a store.Account
	var hash []byte
	err := scan(&a.ID, &a.Tenant, &a.Name, &hash, &a.Role)
	copy(a.KeyHash[:], hash)
	return a, translate(err)
}

func (t *tx) Accounts(tenant int64) ([]store.Account, error) {
	var all []store.Account
	err := t.each(`SELECT `+accountColumns+` FROM account WHERE tenant = ? ORDER BY name`, []any{tenant}, func(scan func(...any) error) error {
		a, err := scanAccount(scan)
		all = append(all, a)
		return err
	})
	return all, err
}

func (t *tx) HasKey(id int64, hash [32]byte) (has bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM account WHERE id = ? AND (key_hash = ? OR old_key_hash = ?))`, []any{id, hash[:], hash[:]}, &has)
	return has, err
}

func (t *tx) AddAccount(a store.Account) (int64, error) {
	t.checkTenant(a.Tenant)
	return t.insert(`INSERT INTO account (tenant, name, key_hash, role) VALUES (?, ?, ?, ?)`, a.Tenant, a.Name, a.KeyHash[:], a.Role)
}

func (t *tx) SetKey(id int64, hash [32]byte, old *store.OldKey) error {
	if old == nil {
		return t.change(`UPDATE account SET key_hash = ?, old_key_hash = NULL, old_key_until = NULL WHERE id = ?`, hash[:], id)
	}
	return t.change(`UPDATE account SET key_hash = ?, old_key_hash = ?, old_key_until = ? WHERE id = ?`, hash[:], old.Hash[:], old.Until.Unix(), id)
}

func (t *tx) DeleteAccount(tenant int64, name string) error {
	t.checkTenant(tenant)
	return t.change(`DELETE FROM account WHERE tenant = ? AND name = ?`, tenant, name)
}
