package records

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const tenantColumns = `tenant.id, tenant.name, root_url, public_url, processings, orders, quota_media_bytes, quota_papers, quota_pdf_minutes, keep_days, keep_bytes,
	coalesce((SELECT node.id FROM node WHERE node.tenant = tenant.id AND node.parent IS NULL), 0)`

func tenantInto(to *store.Tenant, more ...any) []any {
	return append([]any{&to.ID, &to.Name, &to.RootURL, &to.PublicURL, &to.Processings, &to.Orders,
		&to.Quota.MediaBytes, &to.Quota.Papers, &to.Quota.PDFMinutes, &to.Keep.Days, &to.Keep.Bytes, &to.Root}, more...)
}

func (q Queries) tenant(where string, arg any) (found store.Tenant, err error) {
	err = q.tx.Row(`SELECT `+tenantColumns+` FROM tenant `+where, []any{arg}, tenantInto(&found)...)
	return found, err
}

const idOfHost = `coalesce((SELECT tenant FROM tenant_host WHERE host = $1), (SELECT id FROM tenant WHERE name = 'default'))`
const ofHost = `tenant.id = ` + idOfHost

// Tenant implements store.TenantReader.
func (q Queries) Tenant(id int64) (store.Tenant, error) { return q.tenant(`WHERE tenant.id = $1`, id) }

// TenantByHost implements store.TenantReader.
func (q Queries) TenantByHost(host string) (store.Tenant, error) {
	return q.tenant(`WHERE `+ofHost, host)
}

// TenantByName implements store.TenantReader.
func (q Queries) TenantByName(name string) (store.Tenant, error) {
	found, err := q.tenant(`WHERE tenant.id > 0 AND tenant.name = $1`, name)
	if err != nil {
		return found, err
	}
	found.Hosts, err = All(q.tx, `SELECT host FROM tenant_host WHERE tenant = $1 ORDER BY host`, []any{found.ID}, one[string])
	return found, err
}

// Tenants implements store.TenantReader.
func (q Queries) Tenants() ([]store.Tenant, error) {
	hosts := map[int64][]string{}
	err := q.tx.Each(`SELECT tenant, host FROM tenant_host ORDER BY host`, nil, func(scan func(...any) error) error {
		var tenant int64
		var host string
		err := scan(&tenant, &host)
		hosts[tenant] = append(hosts[tenant], host)
		return err
	})
	if err != nil {
		return nil, err
	}
	return All(q.tx, `SELECT `+tenantColumns+` FROM tenant WHERE tenant.id > 0 ORDER BY tenant.name`, nil, func(scan func(...any) error, to *store.Tenant) error {
		err := scan(tenantInto(to)...)
		to.Hosts = hosts[to.ID]
		return err
	})
}

// SetTenant implements store.TenantWriter.
func (q Queries) SetTenant(to store.Tenant) error {
	if err := q.tx.CheckTenant(to.ID); err != nil {
		return err
	}
	err := q.tx.Change(`UPDATE tenant SET root_url = $2, public_url = $3, processings = $4, orders = $5, quota_media_bytes = $6, quota_papers = $7, quota_pdf_minutes = $8,
		keep_days = $9, keep_bytes = $10 WHERE id = $1`, to.ID, to.RootURL, to.PublicURL, to.Processings, to.Orders, to.Quota.MediaBytes, to.Quota.Papers, to.Quota.PDFMinutes,
		to.Keep.Days, to.Keep.Bytes)
	if err != nil {
		return err
	}
	return q.SetHosts(to.ID, to.Hosts)
}

// SetHosts replaces the host names of a tenant.
func (q Queries) SetHosts(tenant int64, hosts []string) error {
	if err := q.tx.Exec(`DELETE FROM tenant_host WHERE tenant = $1`, tenant); err != nil {
		return err
	}
	return q.tx.InsertMany("tenant_host", []string{"host", "tenant"}, len(hosts), func(i int) ([]any, error) {
		return []any{hosts[i], tenant}, nil
	})
}

// ReadOnly implements store.TenantReader.
func (q Queries) ReadOnly() (on bool, err error) {
	err = q.tx.Row(`SELECT read_only FROM service`, nil, &on)
	return on, err
}

// SetReadOnly implements store.TenantWriter.
func (q Queries) SetReadOnly(on bool) error {
	if err := q.tx.CheckTenant(store.AllTenants); err != nil {
		return err
	}
	return q.tx.Change(`UPDATE service SET read_only = $1`, on)
}

// Caller is the query of store.Store.Caller, for a host and the name of an account.
const Caller = `SELECT ` + tenantColumns + `, read_only, account.id, key_hash, role, old_key_hash, old_key_until,
		EXISTS (SELECT 1 FROM tenant_host) AND NOT EXISTS (SELECT 1 FROM tenant_host WHERE host = $1)
	FROM tenant CROSS JOIN service LEFT JOIN account ON account.tenant = tenant.id AND account.name = $2 WHERE ` + ofHost

// ScanCaller reads the row of Caller.
func ScanCaller(scan func(...any) error, account string) (found store.Caller, err error) {
	var id, role, until *int64
	var hash, old []byte
	err = scan(tenantInto(&found.Tenant, &found.ReadOnly, &id, &hash, &role, &old, &until, &found.OtherHost)...)
	if err == nil && id != nil {
		found.Account = store.Account{ID: *id, Tenant: found.Tenant.ID, Name: account, Role: remote.Role(*role)}
		copy(found.Account.KeyHash[:], hash)
		if until != nil {
			found.Account.OldKey = &store.OldKey{Hash: [32]byte(old), Until: time.Unix(*until, 0).UTC()}
		}
	}
	return found, err
}

// Caller implements store.TenantReader.
func (q Queries) Caller(host, account string) (store.Caller, error) {
	return ScanCaller(func(into ...any) error { return q.tx.Row(Caller, []any{host, account}, into...) }, account)
}
