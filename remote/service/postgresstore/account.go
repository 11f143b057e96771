package postgresstore

import (
	"paperfs/remote/service/store"
)

func (t *tx) Accounts(tenant int64) ([]store.Account, error) {
	return all(t, `SELECT id, tenant, name, key_hash, role FROM account WHERE tenant = $1 ORDER BY name`, []any{tenant},
		func(scan func(...any) error, a *store.Account) error {
			var hash []byte
			err := scan(&a.ID, &a.Tenant, &a.Name, &hash, &a.Role)
			copy(a.KeyHash[:], hash)
			return err
		})
}

func (t *tx) HasKey(id int64, hash [32]byte) (has bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM account WHERE id = $1 AND (key_hash = $2 OR old_key_hash = $2))`, []any{id, hash[:]}, &has)
	return has, err
}

func (t *tx) AddAccount(a store.Account) (int64, error) {
	if err := t.checkTenant(a.Tenant); err != nil {
		return 0, err
	}
	return t.insert(`INSERT INTO account (tenant, name, key_hash, role) VALUES ($1, $2, $3, $4) RETURNING id`, a.Tenant, a.Name, a.KeyHash[:], a.Role)
}

func (t *tx) SetKey(id int64, hash [32]byte, old *store.OldKey) error {
	var oldHash []byte
	var until *int64
	if old != nil {
		seconds := old.Until.Unix()
		oldHash, until = old.Hash[:], &seconds
	}
	return t.change(`UPDATE account SET key_hash = $2, old_key_hash = $3, old_key_until = $4 WHERE id = $1`, id, hash[:], oldHash, until)
}

func (t *tx) DeleteAccount(tenant int64, name string) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	return t.change(`DELETE FROM account WHERE tenant = $1 AND name = $2`, tenant, name)
}
