package records

import "paperfs/remote/service/store"

// Accounts implements store.AccountReader.
func (q Queries) Accounts(tenant int64) ([]store.Account, error) {
	return All(q.tx, `SELECT id, tenant, name, key_hash, role FROM account WHERE tenant = $1 ORDER BY name`, []any{tenant},
		func(scan func(...any) error, a *store.Account) error {
			var hash []byte
			err := scan(&a.ID, &a.Tenant, &a.Name, &hash, &a.Role)
			copy(a.KeyHash[:], hash)
			return err
		})
}

// HasKey implements store.AccountReader.
func (q Queries) HasKey(id int64, hash [32]byte) (has bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM account WHERE id = $1 AND (key_hash = $2 OR old_key_hash = $2))`, []any{id, hash[:]}, &has)
	return has, err
}

// AddAccount implements store.AccountWriter.
func (q Queries) AddAccount(a store.Account) (int64, error) {
	if err := q.tx.CheckTenant(a.Tenant); err != nil {
		return 0, err
	}
	return q.tx.Insert(`INSERT INTO account (tenant, name, key_hash, role) VALUES ($1, $2, $3, $4)`, a.Tenant, a.Name, a.KeyHash[:], a.Role)
}

// SetKey implements store.AccountWriter.
func (q Queries) SetKey(id int64, hash [32]byte, old *store.OldKey) error {
	var oldHash, until any // NULL
	if old != nil {
		oldHash, until = old.Hash[:], old.Until.Unix()
	}
	return q.tx.Change(`UPDATE account SET key_hash = $2, old_key_hash = $3, old_key_until = $4 WHERE id = $1`, id, hash[:], oldHash, until)
}

// DeleteAccount implements store.AccountWriter.
func (q Queries) DeleteAccount(tenant int64, name string) error {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return err
	}
	return q.tx.Change(`DELETE FROM account WHERE tenant = $1 AND name = $2`, tenant, name)
}

// Secret implements store.SecretReader.
func (q Queries) Secret(name string) ([]byte, error) {
	var value []byte
	err := q.tx.Row(`SELECT value FROM secret WHERE name = $1`, []any{name}, &value)
	return value, err
}

// SetSecret implements store.SecretWriter.
func (q Queries) SetSecret(name string, value []byte) error {
	if err := q.tx.CheckTenant(store.AllTenants); err != nil {
		return err
	}
	return q.tx.Change(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}
